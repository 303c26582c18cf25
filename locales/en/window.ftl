### window
