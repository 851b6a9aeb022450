// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.oci;

import java.util.Locale;
import java.util.regex.Pattern;

/** The rules for names of repositories and tags, and the key by which tags are in order. */
public final class NameRules {
    private static final String COMPONENT = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
    /** Only for texts of up to {@link #MAX_REPOSITORY} characters: it recurses for each part. */
    private static final Pattern REPOSITORY = Pattern.compile(COMPONENT + "(?:/" + COMPONENT + ")*");

    private static final Pattern TAG = Pattern.compile("[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}");
    private static final int MAX_REPOSITORY = 255;
    /** Before every character of a tag. */
    private static final char AFTER_KEY = '!';

    private NameRules() {}

    /** Returns whether a repository may be called so. */
    public static boolean isRepository(String name) {
        return name.length() <= MAX_REPOSITORY && REPOSITORY.matcher(name).matches();
    }

    /** Returns whether a tag may be called so. */
    public static boolean isTag(String name) {
        return TAG.matcher(name).matches();
    }

    /** Returns a name that sorts by its bytes as the specification sorts tags: without regard to case. */
    public static String tagKey(String tag) {
        return tag.toLowerCase(Locale.ROOT) + AFTER_KEY + tag;
    }

    /** Returns the tag of a key. */
    public static String tagOf(String key) {
        return key.substring(key.indexOf(AFTER_KEY) + 1);
    }
}
