### models
