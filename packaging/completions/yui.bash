complete -C yui yui
