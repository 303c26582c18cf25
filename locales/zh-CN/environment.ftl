### environment
