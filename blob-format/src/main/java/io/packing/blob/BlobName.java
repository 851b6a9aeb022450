package io.packing.blob;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The name of a blob: {@code <worker>-<footer offset>-<timestamp>} (§4.1). The object key puts two hexadecimal digits of
 * the name's hash in front, so that the key partitions of the store spread.
 *
 * @param worker identifier of the worker that packed it: letters, digits, {@code .}, {@code _} and {@code -}
 * @param footerOffset where the footer starts in the blob, bytes
 * @param timestampMicros creation time, microseconds since the epoch, strictly increasing within a worker
 */
public record BlobName(String worker, long footerOffset, long timestampMicros) {
    private static final Pattern WORKER = Pattern.compile("[A-Za-z0-9._-]{1,128}");
    private static final Pattern NAME =
            Pattern.compile("(?:[0-9a-f]{2}/)?(" + WORKER.pattern() + ")-([0-9]{1,19})-([0-9]{1,19})");

    public BlobName {
        if (!WORKER.matcher(worker).matches() || footerOffset < 0 || timestampMicros < 0) {
            throw new IllegalArgumentException(
                    "bad blob name %s-%d-%d".formatted(worker, footerOffset, timestampMicros));
        }
    }

    /** Reads a name or a key. */
    public static BlobName parse(String text) {
        Matcher m = NAME.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException("'%s' is not a blob name".formatted(text));
        }
        BlobName name = new BlobName(m.group(1), Long.parseLong(m.group(2)), Long.parseLong(m.group(3)));
        if (!text.endsWith(name.toString())) {
            throw new IllegalArgumentException("'%s' has leading zeros, want '%s'".formatted(text, name));
        }
        if (text.indexOf('/') >= 0 && !text.equals(name.key())) {
            throw new IllegalArgumentException("'%s' has a wrong hash prefix, want '%s'".formatted(text, name.key()));
        }
        return name;
    }

    /** The object key, relative to the mount's blob folder: {@code 3f/worker-1048576-1700000000000000}. */
    public String key() {
        CRC32C crc = new CRC32C();
        crc.update(toString().getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        return String.format(Locale.ROOT, "%02x/%s", crc.getValue() & 0xff, this);
    }

    @Override
    public String toString() {
        return worker + "-" + footerOffset + "-" + timestampMicros;
    }
}
