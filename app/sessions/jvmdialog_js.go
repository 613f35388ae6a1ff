package sessions

// chooseAgentLibrary is not possible in a browser.
func chooseAgentLibrary(string, string) (string, error) { return "", errNoDialog }
