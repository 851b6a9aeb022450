// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.client.MountName;
import io.packing.blob.FilePath;

/** A path of a mount, as {@code packing://[MOUNT@]HOST[:PORT][,HOST[:PORT]...]/PATH} names it. */
record MountUri(MountName mount, FilePath path) {
    private static final String BEGINS = MountName.SCHEME + "://";

    static final String FORM = "packing://[MOUNT@]HOST[:PORT]/PATH";

    /** Returns whether a text means a mount's URI, right or wrong. */
    static boolean isOne(String text) {
        return text.startsWith(BEGINS);
    }

    /**
     * Reads a URI. Its path is taken as it is written: no character of it is escaped.
     *
     * @throws IllegalArgumentException saying what is wrong with it
     */
    static MountUri parse(String text) {
        if (!isOne(text)) {
            throw new IllegalArgumentException("'%s' is not %s".formatted(text, FORM));
        }
        String rest = text.substring(BEGINS.length());
        int slash = rest.indexOf('/');
        String authority = slash < 0 ? rest : rest.substring(0, slash);
        FilePath path = FilePath.normalise(slash < 0 ? "/" : rest.substring(slash));
        try {
            return new MountUri(MountName.parse(authority), path);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'%s' is not %s: %s".formatted(text, FORM, e.getMessage()), e);
        }
    }

    /** Returns a path that is written below this one. */
    FilePath below(String written) {
        return FilePath.normalise(path.isRoot() ? written : path + "/" + written);
    }

    @Override
    public String toString() {
        return BEGINS + mount + path;
    }
}
