### 本机：显卡、驱动、处理器、磁盘。

reason-memory-not-told = 系统未提供本机的内存大小。
reason-folder-not-found = 文件夹 { $path } 不存在。
