### run
