// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * The client's side of lean layers: it keeps the recipe and the files in them, and makes the layer of these and of its
 * other files. It trusts no byte from the network: the caller compares the digest of the layer.
 */
public final class LeanLayerReader {
    /** The most bytes of a recipe: it has all bytes of its layer outside of files, and some dozens for each file. */
    private static final long MOST_RECIPE = 64L << 20;

    private static final int MOST_FILES = 1_000_000;
    /** No deflater makes less of its input. */
    private static final long MOST_INFLATED = 1_100;

    private static final int SHA256_BYTES = 32;
    private static final int BUFFER = 64 << 10;

    private LeanLayerReader() {}

    /**
     * Takes a lean layer apart.
     *
     * @param lean not compressed any more
     * @param length of the layer's blob, as its manifest has it
     * @param recipe where the recipe is written to
     * @throws IOException when it is no lean layer of such a blob
     */
    public static void receive(InputStream lean, long length, Path recipe, ClientFiles files) throws IOException {
        DataInputStream in = new DataInputStream(lean);
        if (in.readLong() != LeanLayers.MAGIC) {
            throw new IOException("the registry answered with something that is no lean layer of a version known here");
        }
        long recipeLength = in.readLong();
        if (recipeLength < 0 || recipeLength > length + MOST_RECIPE) {
            throw new IOException("a recipe of %,d bytes for a layer of %,d".formatted(recipeLength, length));
        }
        try (OutputStream out = Files.newOutputStream(recipe)) {
            copy(in, out, recipeLength);
        }
        Map<String, Long> named = files(recipe, length);
        for (int tag = in.readUnsignedByte(); tag != LeanLayers.END; tag = in.readUnsignedByte()) {
            long bytes = in.readLong();
            byte[] hash = new byte[SHA256_BYTES];
            in.readFully(hash);
            String hex = HexFormat.of().formatHex(hash);
            if (tag != LeanLayers.CONTENT || !Long.valueOf(bytes).equals(named.get(hex))) {
                throw new IOException(
                        "a lean layer with a part %d of %,d bytes that its recipe does not name".formatted(tag, bytes));
            }
            files.store(hex, in, bytes);
        }
    }

    private static void copy(InputStream from, OutputStream to, long length) throws IOException {
        byte[] buffer = new byte[BUFFER];
        for (long left = length; left > 0; ) {
            int n = from.read(buffer, 0, (int) Math.min(BUFFER, left));
            if (n < 0) {
                throw new EOFException("a lean layer ended early");
            }
            to.write(buffer, 0, n);
            left -= n;
        }
    }

    /** Returns the lengths of the files that a recipe names. */
    private static Map<String, Long> files(Path recipe, long length) throws IOException {
        Map<String, Long> files = new LinkedHashMap<>();
        try (RecipeReader reader = new RecipeReader(Files.newInputStream(recipe))) {
            RecipeHeader header = reader.header();
            boolean isPlain = header.form() instanceof BlobForm.Plain;
            if (header.length() != length
                    || header.tarLength() < 0
                    || (isPlain && header.tarLength() != length)
                    || header.tarLength() / MOST_INFLATED > length) {
                throw new IOException("a recipe of a tar of %,d bytes in a blob of %,d, for a layer of %,d"
                        .formatted(header.tarLength(), header.length(), length));
            }
            long left = header.tarLength();
            for (Optional<Step> step = reader.next(); step.isPresent(); step = reader.next()) {
                left -= Math.min(left + 1, step.get().length());
                if (step.get() instanceof Step.Content content) {
                    Long other = files.put(content.hex(), content.length());
                    if (other != null && other != content.length()) {
                        throw new IOException("a recipe in which a file has two lengths");
                    }
                }
                if (left < 0 || files.size() > MOST_FILES) {
                    throw new IOException(
                            "a recipe of more bytes than its tar, or more than %,d files".formatted(MOST_FILES));
                }
            }
        }
        return files;
    }

    /** Returns the files that a recipe names. */
    public static Set<String> named(Path recipe) throws IOException {
        Set<String> named = new TreeSet<>();
        try (RecipeReader reader = new RecipeReader(Files.newInputStream(recipe))) {
            for (Optional<Step> step = reader.next(); step.isPresent(); step = reader.next()) {
                if (step.get() instanceof Step.Content content) {
                    named.add(content.hex());
                }
            }
        }
        return named;
    }

    /** Returns the files that a recipe names and a client does not have. */
    public static Set<String> missing(Path recipe, ClientFiles files) throws IOException {
        Set<String> missing = named(recipe);
        missing.removeIf(files::has);
        return missing;
    }

    /**
     * Writes the blob that a recipe makes.
     *
     * @throws IOException when a file is missing, or the recipe needs another zlib than this Java runtime has
     */
    public static void write(Path recipe, ClientFiles files, OutputStream out) throws IOException {
        try (RecipeReader reader = new RecipeReader(Files.newInputStream(recipe))) {
            if (!(reader.header().form() instanceof BlobForm.Gzip gzip)) {
                writeTar(reader, files, out);
                return;
            }
            if (gzip.fingerprint() != BlobForm.fingerprint()) {
                throw new IOException("the layer was compressed with another zlib than this Java runtime has");
            }
            out.write(gzip.header().copy());
            Deflater deflater = new Deflater(gzip.level(), true);
            try {
                DeflaterOutputStream deflated = new DeflaterOutputStream(out, deflater, BUFFER);
                writeTar(reader, files, deflated);
                deflated.finish();
            } finally {
                deflater.end();
            }
            out.write(gzip.trailer().copy());
        }
    }

    private static void writeTar(Steps steps, ClientFiles files, OutputStream out) throws IOException {
        for (Optional<Step> step = steps.next(); step.isPresent(); step = steps.next()) {
            if (step.get() instanceof Step.Literal literal) {
                byte[] bytes = new byte[(int) literal.length()];
                literal.copy(0, bytes, 0, bytes.length);
                out.write(bytes);
            } else if (step.get() instanceof Step.Content content) {
                try (InputStream file = files.open(content.hex())) {
                    copy(file, out, content.length());
                }
            }
        }
    }
}
