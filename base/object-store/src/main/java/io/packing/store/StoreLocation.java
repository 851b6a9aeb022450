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

    /** A prefix of a bucket, of any cloud. */
    sealed interface InBucket extends StoreLocation {
        /** Returns the prefix without slashes at its ends; may be empty. */
        String prefix();

        /** Returns another prefix of this bucket. */
        InBucket at(String other);

        /** Returns what all keys of the objects below this location begin with. */
        default String keyPrefix() {
            return prefix().isEmpty() ? "" : prefix() + "/";
        }
    }

    /**
     * The objects of a bucket below a prefix.
     *
     * @param prefix without slashes at its ends; may be empty
     */
    record Bucket(String bucket, String prefix) implements InBucket {
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
        public Bucket at(String other) {
            return new Bucket(bucket, other);
        }

        @Override
        public String text() {
            return "s3://" + bucket + (prefix.isEmpty() ? "" : "/" + prefix);
        }
    }

    /**
     * The objects of a bucket of Google Cloud Storage below a prefix.
     *
     * @param prefix without slashes at its ends; may be empty
     */
    record GoogleBucket(String bucket, String prefix) implements InBucket {
        /** Only for names of up to {@link #MOST} characters: it recurses for each part. */
        private static final Pattern NAME =
                Pattern.compile("[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?(?:[.][a-z0-9_-]{1,63})*");

        private static final int LEAST = 3;
        private static final int MOST = 222;

        public GoogleBucket {
            if (bucket.length() < LEAST
                    || bucket.length() > MOST
                    || !NAME.matcher(bucket).matches()) {
                throw new IllegalArgumentException(
                        ("'%s': a bucket of Google Cloud Storage has a name of a-z, 0-9, hyphens, underscores and dots, which begins"
                                        + " with a letter or digit, as in gs://my-bucket/prefix")
                                .formatted(bucket));
            }
            if (!prefix.isEmpty()) {
                ObjectKeys.check(prefix);
            }
        }

        @Override
        public GoogleBucket at(String other) {
            return new GoogleBucket(bucket, other);
        }

        @Override
        public String text() {
            return "gs://" + bucket + (prefix.isEmpty() ? "" : "/" + prefix);
        }
    }

    /**
     * The blobs of a container of an Azure storage account below a prefix.
     *
     * @param prefix without slashes at its ends; may be empty
     */
    record AzureContainer(String container, String account, String prefix) implements InBucket {
        private static final Pattern CONTAINER = Pattern.compile("[a-z0-9](?:-?[a-z0-9]){2,62}");
        private static final Pattern ACCOUNT = Pattern.compile("[a-z0-9]{3,24}");
        /** The ends of the host names by which tools of Hadoop name an account. */
        private static final Pattern HOST = Pattern.compile("[.](?:dfs|blob)[.]core[.]windows[.]net$");

        public AzureContainer {
            if (!CONTAINER.matcher(container).matches()
                    || !ACCOUNT.matcher(account).matches()) {
                throw new IllegalArgumentException(
                        ("'%s@%s': expected a container of 3 to 63 characters of a-z, 0-9 and hyphens, and an account of 3 to 24"
                                        + " letters and digits, as in abfs://container@account/prefix")
                                .formatted(container, account));
            }
            if (!prefix.isEmpty()) {
                ObjectKeys.check(prefix);
            }
        }

        private static AzureContainer of(String name, String prefix) {
            int at = name.indexOf('@');
            return new AzureContainer(
                    name.substring(0, Math.max(0, at)),
                    HOST.matcher(name.substring(at + 1)).replaceFirst(""),
                    prefix);
        }

        @Override
        public AzureContainer at(String other) {
            return new AzureContainer(container, account, other);
        }

        @Override
        public String text() {
            return "abfs://%s@%s%s".formatted(container, account, prefix.isEmpty() ? "" : "/" + prefix);
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

    /**
     * Parses {@code s3://bucket/prefix} (or {@code s3a:}), {@code gs://bucket/prefix}, {@code abfs://container@account/prefix} (or
     * {@code abfss:}) and {@code file:///dir}.
     */
    static StoreLocation parse(String text) {
        // Clients of a master send these, so the parse takes a time linear in their length.
        Optional<String> s3 = behind(text, "s3://").or(() -> behind(text, "s3a://"));
        if (s3.isPresent() && isOneLine(text)) {
            return new Bucket(name(s3.get()), prefixOf(s3.get()));
        }
        Optional<String> google = behind(text, "gs://");
        if (google.isPresent() && isOneLine(text)) {
            return new GoogleBucket(name(google.get()), prefixOf(google.get()));
        }
        Optional<String> azure = behind(text, "abfs://").or(() -> behind(text, "abfss://"));
        if (azure.isPresent() && isOneLine(text)) {
            return AzureContainer.of(name(azure.get()), prefixOf(azure.get()));
        }
        Optional<String> file = behind(text, "file://").or(() -> behind(text, "file:"));
        if (file.isPresent() && isOneLine(text) && isAbsolute(file.get())) {
            String path = "/" + ObjectKeys.trimSlashes(file.get());
            return new Directory(
                    path.contains("%")
                            ? Path.of(URI.create("file://" + path)).normalize()
                            : Path.of(path).normalize());
        }
        throw new IllegalArgumentException(
                "expected s3://bucket/prefix, gs://bucket/prefix, abfs://container@account/prefix or file:///dir");
    }

    private static String name(String all) {
        int slash = all.indexOf('/');
        return slash < 0 ? all : all.substring(0, slash);
    }

    private static String prefixOf(String all) {
        int slash = all.indexOf('/');
        return ObjectKeys.trimSlashes(slash < 0 ? "" : all.substring(slash));
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
