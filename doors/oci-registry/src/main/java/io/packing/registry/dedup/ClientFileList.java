// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import io.packing.registry.oci.Digest;
import io.packing.registry.oci.OciCode;
import io.packing.registry.oci.OciException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A client's list of its files, as the body of a request for a lean layer: lines {@code layer REPOSITORY DIGEST}, for
 * all files of a layer, and {@code file HEX}.
 *
 * @param files by their SHA-256
 */
public record ClientFileList(List<Layer> layers, List<String> files) {
    /** Nothing. */
    public static final ClientFileList NONE = new ClientFileList(List.of(), List.of());

    private static final int MOST_BYTES = 1 << 20;
    /** Each is looked up. */
    private static final int MOST_LAYERS = 1_000;

    /** A layer that the client pulled from a repository of this registry. */
    public record Layer(String repository, Digest digest) {}

    /** @throws IllegalArgumentException when a file is no hash */
    public ClientFileList {
        layers = List.copyOf(layers);
        files = List.copyOf(files);
        for (String hex : files) {
            if (!isHash(hex)) {
                throw new IllegalArgumentException("'%.80s' is no SHA-256".formatted(hex));
            }
        }
    }

    private static boolean isHash(String text) {
        return text.matches("[0-9a-f]{64}");
    }

    /** Returns the body of a request; it names only the first layers, as many as a registry looks up. */
    public byte[] body() {
        StringBuilder lines = new StringBuilder();
        layers.stream()
                .limit(MOST_LAYERS)
                .forEach(layer -> lines.append("layer ")
                        .append(layer.repository())
                        .append(' ')
                        .append(layer.digest())
                        .append('\n'));
        files.forEach(hex -> lines.append("file ").append(hex).append('\n'));
        return lines.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** Reads the body of a request. */
    public static ClientFileList read(InputStream body) throws IOException, OciException {
        byte[] bytes = body.readNBytes(MOST_BYTES + 1);
        if (bytes.length > MOST_BYTES) {
            throw new OciException(
                    OciCode.SIZE_INVALID, "a client lists its files in at most %,d bytes".formatted(MOST_BYTES));
        }
        List<Layer> layers = new ArrayList<>();
        List<String> files = new ArrayList<>();
        for (String line : new String(bytes, StandardCharsets.US_ASCII).split("\n", -1)) {
            String[] words = line.split(" ", -1);
            if (words.length == 3 && words[0].equals("layer") && layers.size() < MOST_LAYERS) {
                layers.add(new Layer(words[1], Digest.parse(words[2])));
            } else if (words.length == 2 && words[0].equals("file") && isHash(words[1])) {
                files.add(words[1]);
            } else if (!line.isEmpty()) {
                throw new OciException(
                        OciCode.UNSUPPORTED,
                        "'%.200s' is neither 'layer REPOSITORY DIGEST', of %d at most, nor 'file HEX'"
                                .formatted(line, MOST_LAYERS));
            }
        }
        return new ClientFileList(layers, files);
    }
}
