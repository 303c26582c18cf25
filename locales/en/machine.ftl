### machine
