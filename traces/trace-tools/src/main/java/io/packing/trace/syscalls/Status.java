// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import io.packing.trace.TraceEvent;
import java.util.Locale;

/**
 * The answer of a stat call.
 *
 * @param known whether the backend prints it
 * @param size bytes of a regular file; otherwise {@link TraceEvent#NONE}
 */
record Status(boolean known, InitialState.Kind kind, long size) {
    static Status of(Arguments arguments, int structure) {
        String mode = arguments
                .field(structure, "st_mode")
                .or(() -> arguments.field(structure, "stx_mode"))
                .orElse("");
        InitialState.Kind kind = mode.startsWith("S_IFREG")
                ? InitialState.Kind.FILE
                : mode.startsWith("S_IFDIR")
                        ? InitialState.Kind.DIR
                        : mode.startsWith("S_IFLNK") ? InitialState.Kind.LINK : InitialState.Kind.OTHER;
        long size = arguments
                .field(structure, "st_size")
                .or(() -> arguments.field(structure, "stx_size"))
                .map(text -> StraceNumbers.leading(text, TraceEvent.NONE))
                .orElse(TraceEvent.NONE);
        return new Status(!mode.isEmpty(), kind, kind == InitialState.Kind.FILE ? size : TraceEvent.NONE);
    }

    void applyTo(TracedFile file) {
        if (known) {
            file.kind(kind);
            if (size != TraceEvent.NONE) {
                file.size(size);
            }
        }
    }

    String hints() {
        return known ? "type=" + kind.name().toLowerCase(Locale.ROOT) : "";
    }
}
