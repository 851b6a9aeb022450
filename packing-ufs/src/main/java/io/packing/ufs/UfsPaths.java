// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Optional;

/**
 * Translates Alluxio's paths, {@code packing://host:port/a/b} or just {@code /a/b}, into paths of the mount. No
 * character is decoded: Alluxio's URIs hold unescaped text, so a {@code %} or a space is part of the name.
 */
final class UfsPaths {
    static final String SCHEME = "packing";
    private static final String PREFIX = SCHEME + "://";

    private UfsPaths() {}

    /** Returns whether the factory of this scheme is meant. */
    static boolean isPacking(String uri) {
        return uri.startsWith(PREFIX);
    }

    /** Returns the address of the BDT master: {@code host:port} of the URI, or several with commas between them. */
    static String authority(String uri) {
        if (!isPacking(uri)) {
            throw new IllegalArgumentException("'%s' is not a packing://HOST:PORT/path URI".formatted(uri));
        }
        String rest = uri.substring(PREFIX.length());
        int slash = rest.indexOf('/');
        String authority = slash < 0 ? rest : rest.substring(0, slash);
        if (!authority.matches("[^\\s/,]+:[0-9]{1,5}(?:,[^\\s/,]+:[0-9]{1,5})*+")) {
            throw new IllegalArgumentException(
                    ("'%s' names no HOST:PORT of a BDT master; write packing://HOST:PORT/path,"
                                    + " or packing://HOST1:PORT1,HOST2:PORT2/path when one of several serves")
                            .formatted(uri));
        }
        return authority;
    }

    /**
     * Returns the path inside the mount.
     *
     * @throws IOException for a path that no file can have, such as one with a {@code ..} component, or no user's file
     */
    static FilePath toPacking(String path) throws IOException {
        String inMount = path;
        if (isPacking(path)) {
            int slash = path.indexOf('/', PREFIX.length());
            inMount = slash < 0 ? "/" : path.substring(slash);
        }
        FilePath found;
        try {
            found = FilePath.normalise(inMount);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
        Optional<String> why = found.whyNotForUsers();
        if (why.isPresent()) {
            throw new IOException(why.get());
        }
        return found;
    }

    /**
     * Returns the path inside the mount for a change.
     *
     * @throws IOException also for a path in a snapshot
     */
    static FilePath toChange(String path) throws IOException {
        FilePath found = toPacking(path);
        if (found.isPast()) {
            throw new IOException(path + ": a snapshot is never changed");
        }
        return found;
    }
}
