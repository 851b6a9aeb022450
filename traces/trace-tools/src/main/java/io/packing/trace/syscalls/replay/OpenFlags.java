// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls.replay;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The flags of an open, from the hints of the call. */
record OpenFlags(Set<String> flags, boolean created) {
    private static final Set<Call> OPENS =
            Set.of(Call.SYS_OPEN, Call.SYS_OPENAT, Call.SYS_OPENAT2, Call.SYS_CREAT, Call.SYS_OPEN_BY_HANDLE_AT);

    static boolean opens(Call call) {
        return OPENS.contains(call);
    }

    static OpenFlags of(TraceEvent event) {
        Set<String> flags = new HashSet<>();
        boolean created = false;
        for (String hint : event.hints().split(" ", -1)) {
            if (hint.startsWith("flags=")) {
                flags.addAll(List.of(hint.substring("flags=".length()).split("\\|", -1)));
            }
            created |= hint.equals("created=true");
        }
        return new OpenFlags(flags, created);
    }

    boolean create() {
        return flags.contains("O_CREAT");
    }

    boolean exclusive() {
        return flags.contains("O_EXCL");
    }

    boolean truncate() {
        return flags.contains("O_TRUNC");
    }

    boolean directory() {
        return flags.contains("O_DIRECTORY") && !unnamed();
    }

    /** Returns whether it makes a file without a name. */
    boolean unnamed() {
        return flags.contains("O_TMPFILE") || flags.contains("__O_TMPFILE");
    }

    private boolean writes() {
        return flags.contains("O_WRONLY") || flags.contains("O_RDWR");
    }

    /** Returns the options for Java, which creates and truncates files only with the right to write. */
    Set<OpenOption> options() {
        Set<OpenOption> options = new HashSet<>();
        if (!flags.contains("O_WRONLY")) {
            options.add(StandardOpenOption.READ);
        }
        if (writes() || create() || truncate()) {
            options.add(StandardOpenOption.WRITE);
        }
        if (create()) {
            options.add(exclusive() ? StandardOpenOption.CREATE_NEW : StandardOpenOption.CREATE);
        }
        if (truncate()) {
            options.add(StandardOpenOption.TRUNCATE_EXISTING);
        }
        if (flags.contains("O_SYNC")) {
            options.add(StandardOpenOption.SYNC);
        } else if (flags.contains("O_DSYNC")) {
            options.add(StandardOpenOption.DSYNC);
        }
        if (flags.contains("O_NOFOLLOW")) {
            options.add(LinkOption.NOFOLLOW_LINKS);
        }
        return options;
    }
}
