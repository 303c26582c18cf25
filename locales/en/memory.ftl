### memory
