function __complete_yui
    set -lx COMP_LINE (commandline -cp)
    test -z (commandline -ct)
    and set COMP_LINE "$COMP_LINE "
    yui
end
complete -f -c yui -a "(__complete_yui)"
