### This computer: graphics cards, driver, processor, disks.

reason-memory-not-told = The system did not say how much memory this computer has.
reason-folder-not-found = The folder { $path } does not exist.
