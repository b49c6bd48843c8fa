// tokens
