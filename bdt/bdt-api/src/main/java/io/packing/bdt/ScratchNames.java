// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.util.OptionalLong;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of directories among the scratch files that belong to a file, as the log of a volume does. The master keeps such a directory
 * as long as the file, and other scratch files for a day.
 */
public final class ScratchNames {
    private static final Pattern FORM = Pattern.compile("of-(\\d{1,18})-[0-9a-f-]{36}");

    private ScratchNames() {}

    /** Returns a new name for a directory of a file with an id. */
    public static String of(long file) {
        return "of-%d-%s".formatted(file, UUID.randomUUID());
    }

    /** Returns the id of the file to which the directory of a name belongs; empty: to none. */
    public static OptionalLong file(String name) {
        Matcher matcher = FORM.matcher(name);
        return matcher.matches() ? OptionalLong.of(Long.parseLong(matcher.group(1))) : OptionalLong.empty();
    }
}
