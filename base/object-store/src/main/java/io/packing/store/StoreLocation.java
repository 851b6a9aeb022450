// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** The root of a store: a prefix of a bucket, or a directory. */
public sealed interface StoreLocation {
    /** Returns the user's text, without a trailing slash. */
    String text();

    /**
     * The objects of a bucket below a prefix.
     *
     * @param prefix without slashes at its ends; may be empty
     */
    record Bucket(String bucket, String prefix) implements StoreLocation {
        /** The names that S3 admits, and those of its older buckets and other stores: with capitals and underscores. */
        private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]");

        private static final Pattern ADDRESS = Pattern.compile("[0-9]{1,3}([.][0-9]{1,3}){3}");

        private static final String RULE =
                "a bucket name has 3 to 63 characters of a-z, 0-9, dots and hyphens, begins and ends with a letter or digit,"
                        + " has no two dots in a row and is no IP address, as in s3://my-bucket/prefix";

        /** The end of names of AWS's directory buckets, which no other bucket's name may have. */
        private static final String EXPRESS = "--x-s3";

        public Bucket {
            if (bucket.endsWith(EXPRESS)) {
                throw new IllegalArgumentException(
                        ("'%s' is a directory bucket (S3 Express One Zone): its listings have no order and cannot begin after a key,"
                                        + " by which masters find a mount's objects. Take a general purpose bucket")
                                .formatted(bucket));
            }
            if (!NAME.matcher(bucket).matches()
                    || bucket.contains("..")
                    || ADDRESS.matcher(bucket).matches()) {
                throw new IllegalArgumentException("'%s': %s".formatted(bucket, RULE));
            }
            if (!prefix.isEmpty()) {
                ObjectKeys.check(prefix);
            }
        }

        @Override
        public String text() {
            return "s3://" + bucket + (prefix.isEmpty() ? "" : "/" + prefix);
        }
    }

    /** The files below a directory; the path is absolute. */
    record Directory(Path path) implements StoreLocation {
        public Directory {
            if (!path.isAbsolute()) {
                throw new IllegalArgumentException("directory '%s' is not absolute".formatted(path));
            }
        }

        @Override
        public String text() {
            return "file://" + path;
        }
    }

    /** Parses {@code s3://bucket/prefix} (or {@code s3a:}) and {@code file:///dir}. */
    static StoreLocation parse(String text) {
        // Clients of a master send these, so the parse takes a time linear in their length.
        Optional<String> s3 = behind(text, "s3://").or(() -> behind(text, "s3a://"));
        if (s3.isPresent() && isOneLine(text)) {
            String all = s3.get();
            int slash = all.indexOf('/');
            String prefix = slash < 0 ? "" : all.substring(slash);
            return new Bucket(slash < 0 ? all : all.substring(0, slash), ObjectKeys.trimSlashes(prefix));
        }
        Optional<String> file = behind(text, "file://").or(() -> behind(text, "file:"));
        if (file.isPresent() && isOneLine(text) && isAbsolute(file.get())) {
            String path = "/" + ObjectKeys.trimSlashes(file.get());
            return new Directory(
                    path.contains("%")
                            ? Path.of(URI.create("file://" + path)).normalize()
                            : Path.of(path).normalize());
        }
        throw new IllegalArgumentException("expected s3://bucket/prefix or file:///dir");
    }

    private static Optional<String> behind(String text, String start) {
        return text.startsWith(start) ? Optional.of(text.substring(start.length())) : Optional.empty();
    }

    private static boolean isOneLine(String text) {
        return text.chars().noneMatch(c -> c == '\n' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029);
    }

    private static boolean isAbsolute(String path) {
        return path.length() > 1 && path.charAt(0) == '/' && path.charAt(1) != '/';
    }
}
