package io.packing.store;

import java.net.URI;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The root of a store: a prefix of a bucket, or a directory. */
public sealed interface StoreLocation {
    /** What a user writes, without a trailing slash. */
    String text();

    /**
     * Objects of a bucket below a prefix.
     *
     * @param prefix without slashes at its ends; may be empty
     */
    record Bucket(String bucket, String prefix) implements StoreLocation {
        /** What S3 admits, and what its older buckets and other stores have besides: capitals and underscores. */
        private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]");

        private static final Pattern ADDRESS = Pattern.compile("[0-9]{1,3}([.][0-9]{1,3}){3}");

        private static final String RULE =
                "a bucket name has 3 to 63 characters of a-z, 0-9, dots and hyphens, begins and ends with a letter or digit,"
                        + " has no two dots in a row and is no IP address, as in s3://my-bucket/prefix";

        public Bucket {
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

    /** Files below a directory; the path is absolute. */
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
        Matcher s3 = Pattern.compile("s3a?://([^/]*)/*(.*?)/*").matcher(text);
        if (s3.matches()) {
            return new Bucket(s3.group(1), s3.group(2));
        }
        Matcher file = Pattern.compile("file:(?://)?(/[^/].*?)/*").matcher(text);
        if (file.matches()) {
            String path = file.group(1);
            return new Directory(
                    path.contains("%")
                            ? Path.of(URI.create("file://" + path)).normalize()
                            : Path.of(path).normalize());
        }
        throw new IllegalArgumentException("expected s3://bucket/prefix or file:///dir");
    }
}
