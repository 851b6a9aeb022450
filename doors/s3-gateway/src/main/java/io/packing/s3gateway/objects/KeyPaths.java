// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import io.packing.blob.FilePath;
import io.packing.s3gateway.protocol.S3Code;
import io.packing.s3gateway.protocol.S3Exception;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The places of buckets and keys in a mount (RFC 0024). A bucket is a directory, and the parts of a key between slashes are names below it.
 * Names that no file can have, and the few that stand for them, begin with {@value #MARK}: Hadoop's programs take such a file for a hidden one.
 */
public final class KeyPaths {
    /** The beginning of names that are no parts of keys themselves. */
    static final String MARK = ".%";
    /** The name of an object within the directory that has its key: keys {@code a} and {@code a/b} may exist both. */
    static final String SELF = ".%=";

    /** The longest key, in bytes of UTF-8. */
    public static final int MOST_KEY_BYTES = 1_024;

    private static final String ESCAPED_MARK = ".%.%25";
    private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
    private static final Pattern ADDRESS = Pattern.compile("[0-9]+\\.[0-9]+\\.[0-9]+\\.[0-9]+");

    private final FilePath base;

    /** @param base the directory whose directories are buckets */
    public KeyPaths(FilePath base) {
        this.base = base;
    }

    public FilePath base() {
        return base;
    }

    /** Returns whether a bucket may have a name. */
    public static boolean isBucketName(String name) {
        return BUCKET.matcher(name).matches()
                && !name.contains("..")
                && !ADDRESS.matcher(name).matches();
    }

    /** Returns the directory of a bucket. */
    public FilePath bucket(String name) throws S3Exception {
        if (!isBucketName(name)) {
            throw new S3Exception(
                    S3Code.INVALID_BUCKET_NAME,
                    "%.80s is no name of a bucket: want 3 to 63 lower-case letters, digits, dots and hyphens"
                            .formatted(name));
        }
        return base.child(name);
    }

    /** Returns the path of a key's object, where no other key has it as a directory. */
    public FilePath path(FilePath bucket, String key) throws S3Exception {
        if (key.isEmpty()) {
            throw S3Exception.argument("a key has at least one character");
        }
        int bytes = key.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MOST_KEY_BYTES) {
            throw new S3Exception(
                    S3Code.KEY_TOO_LONG, "the key has %,d bytes, at most %,d".formatted(bytes, MOST_KEY_BYTES));
        }
        if (key.indexOf('\0') >= 0) {
            throw S3Exception.argument("the key has the character NUL, which no file's name can have");
        }
        StringBuilder text = new StringBuilder(bucket.value());
        for (String part : key.split("/", -1)) {
            text.append('/').append(encode(part));
        }
        FilePath path = new FilePath(text.toString());
        Optional<String> why = path.whyNotCreatable();
        if (why.isPresent()) {
            throw new S3Exception(
                    S3Code.KEY_TOO_LONG,
                    "the part of a key between two slashes has at most %d bytes, and a key %,d parts"
                            .formatted(FilePath.MAX_NAME_BYTES, FilePath.MAX_LEVELS));
        }
        return path;
    }

    /** Returns the path of an object whose key a directory has. */
    static FilePath self(FilePath directory) {
        return directory.child(SELF);
    }

    /** Returns the name of a part of a key. */
    static String encode(String part) {
        return switch (part) {
            case "" -> MARK;
            case "." -> ".%2E";
            case ".." -> ".%2E%2E";
            case FilePath.SNAPSHOTS -> ".%2Esnapshot";
            default -> part.startsWith(MARK) ? ESCAPED_MARK + part.substring(MARK.length()) : part;
        };
    }

    /** Returns the part of a key that has a name; empty when none has. */
    static Optional<String> decode(String name) {
        if (!name.startsWith(MARK)) {
            return Optional.of(name);
        }
        return switch (name) {
            case MARK -> Optional.of("");
            case ".%2E" -> Optional.of(".");
            case ".%2E%2E" -> Optional.of("..");
            case ".%2Esnapshot" -> Optional.of(FilePath.SNAPSHOTS);
            default ->
                name.startsWith(ESCAPED_MARK)
                        ? Optional.of(MARK + name.substring(ESCAPED_MARK.length()))
                        : Optional.empty();
        };
    }
}
