### shared
