// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.store;

import io.packing.registry.oci.Digest;
import io.packing.registry.oci.Manifest;
import io.packing.registry.oci.OciException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * A manifest as it was pushed. Its file is a line of text, {@code DIGEST MEDIATYPE}, and then the bytes.
 */
public final class StoredManifest {
    /** The annotation of a translation: the digest of the manifest that was pushed. */
    public static final String TRANSLATION_OF = "io.packing.translation-of";

    private static final int MAX_HEAD = 1_024;
    /** The longest file. */
    static final int MAX_FILE = Manifest.MAX_BYTES + MAX_HEAD;
    /** The longest media type that fits in the line. */
    public static final int MAX_MEDIA_TYPE = 512;

    private final Digest digest;
    private final String mediaType;
    private final byte[] bytes;

    /**
     * Makes a manifest.
     *
     * @param digest of the bytes
     * @param mediaType under which it was pushed
     * @param bytes the caller changes them no more
     */
    public StoredManifest(Digest digest, String mediaType, byte[] bytes) {
        this.digest = digest;
        this.mediaType = mediaType;
        this.bytes = bytes;
    }

    public Digest digest() {
        return digest;
    }

    public String mediaType() {
        return mediaType;
    }

    /** Returns the manifest; the caller does not change it. */
    public byte[] bytes() {
        return bytes;
    }

    /** Returns the line before the bytes. */
    byte[] head() {
        return "%s %s\n".formatted(digest, mediaType).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads a file.
     *
     * @throws IOException when the bytes do not have the digest that the file names
     */
    public static StoredManifest decode(byte[] file) throws IOException {
        int end = 0;
        while (end < Math.min(file.length, MAX_HEAD) && file[end] != '\n') {
            end++;
        }
        String[] head = new String(file, 0, end, StandardCharsets.UTF_8).split(" ", 2);
        if (end == file.length || head.length != 2) {
            throw new IOException("a manifest's file does not begin with a digest and a media type");
        }
        byte[] bytes = Arrays.copyOfRange(file, end + 1, file.length);
        Digest digest;
        try {
            digest = Digest.parse(head[0]);
        } catch (OciException e) {
            throw new IOException("a manifest's file does not begin with a digest", e);
        }
        Digest is = digest.algorithm().of(bytes);
        if (!is.equals(digest)) {
            throw new IOException("a manifest's bytes have digest %s, and should have %s".formatted(is, digest));
        }
        return new StoredManifest(digest, head[1], bytes);
    }

    /** Returns the parsed manifest. */
    public Manifest parsed() throws OciException {
        return Manifest.parse(bytes, mediaType);
    }

    /** Returns the manifest that this one claims to translate; any client can push such a claim. */
    public Optional<Digest> translationOf() {
        try {
            String source = parsed().annotations().path(TRANSLATION_OF).asText("");
            return source.isEmpty() ? Optional.empty() : Optional.of(Digest.parse(source));
        } catch (OciException e) {
            return Optional.empty();
        }
    }
}
