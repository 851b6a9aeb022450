// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.nio.file.Path;

/**
 * The mapping between keys and files below a directory.
 *
 * <p>A part of a key is the name of a directory or file, with {@code %25} for {@code %} and {@code %2E} for a leading dot.
 * So no key is outside of the directory, and names with a leading dot are free for the store's own use.
 */
final class LocalPaths {
    static final String TEMPORARY = ".tmp";

    private final Path root;

    LocalPaths(Path root) {
        this.root = root;
    }

    Path file(String key) {
        Path path = root;
        for (String segment : ObjectKeys.check(key).split("/", -1)) {
            path = path.resolve(escape(segment));
        }
        return path;
    }

    static String escape(String segment) {
        String escaped = segment.replace("%", "%25");
        return escaped.startsWith(".") ? "%2E" + escaped.substring(1) : escaped;
    }

    static String unescape(String name) {
        return name.replace("%2E", ".").replace("%25", "%");
    }
}
