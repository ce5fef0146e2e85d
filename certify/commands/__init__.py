"""Commands, each in one module; a command imports no other command."""
