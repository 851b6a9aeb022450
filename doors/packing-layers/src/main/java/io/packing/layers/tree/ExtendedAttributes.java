// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.tree;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.bdt.ExtendedValue;
import io.packing.blob.FilePath;
import io.packing.registry.files.FileBytes;
import io.packing.registry.files.RegistryFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The extended attributes of a layer's tree as they were in the layer, and which directories are opaque. They are in a
 * file beside the tree: a JSON object that has for each path an object of names and values in base64. Trees that are
 * older than the table's own extended attributes have them only there.
 */
public final class ExtendedAttributes {
    public static final ExtendedAttributes NONE = new ExtendedAttributes(Map.of());
    static final String OVERLAY = "trusted.overlay.";
    /** The attribute of a directory that no entry of the layer describes. It is in the file beside the tree only. */
    static final String IMPLIED = OVERLAY + "packing.implied";
    /** The value where the layer has whiteouts below the directory, and nothing else. */
    static final ExtendedValue BY_MARKS = new ExtendedValue("marks".getBytes(StandardCharsets.US_ASCII));

    private static final int MOST_BYTES = 64 << 20;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, Map<String, ExtendedValue>> byPath;

    ExtendedAttributes(Map<String, Map<String, ExtendedValue>> byPath) {
        this.byPath = Map.copyOf(byPath);
    }

    /** Reads a file of them. */
    public static ExtendedAttributes read(RegistryFiles files, FilePath path) throws IOException {
        return decode(FileBytes.all(files.open(path), MOST_BYTES));
    }

    static ExtendedAttributes decode(byte[] file) throws IOException {
        Map<String, Map<String, byte[]>> read = JSON.readValue(file, new TypeReference<>() {});
        Map<String, Map<String, ExtendedValue>> byPath = new HashMap<>();
        read.forEach((path, values) -> {
            Map<String, ExtendedValue> has = new HashMap<>();
            values.forEach((name, value) -> has.put(name, new ExtendedValue(value)));
            byPath.put(path, has);
        });
        return new ExtendedAttributes(byPath);
    }

    byte[] encode() throws IOException {
        Map<String, Map<String, byte[]>> all = new TreeMap<>();
        byPath.forEach((path, values) -> {
            Map<String, byte[]> has = new TreeMap<>();
            values.forEach((name, value) -> has.put(name, value.bytes()));
            all.put(path, has);
        });
        byte[] file = JSON.writeValueAsBytes(all);
        if (file.length > MOST_BYTES) {
            throw LayerException.overLimit("extended attributes of %,d bytes with their paths, at most %,d"
                    .formatted(file.length, MOST_BYTES));
        }
        return file;
    }

    /** Returns the attributes of a path from the root of the tree, without a slash before or behind. */
    public Map<String, ExtendedValue> of(String path) {
        return byPath.getOrDefault(path, Map.of());
    }

    /** Returns the attributes of a file itself, without those that overlayfs has for its own use. */
    public static Map<String, ExtendedValue> own(Map<String, ExtendedValue> all) {
        Map<String, ExtendedValue> own = new TreeMap<>(all);
        own.keySet().removeIf(name -> name.startsWith(OVERLAY));
        return own;
    }

    /** Returns whether no entry of the layer describes a directory: its owner, mode and time are those of the layers below. */
    public boolean isImplied(String path) {
        return of(path).containsKey(IMPLIED);
    }

    /** Returns whether a directory is in the tree for whiteouts alone: a merged root has it only if a layer below has it. */
    public boolean isOnlyForMarks(String path) {
        return isImplied(path) && BY_MARKS.equals(of(path).getOrDefault(IMPLIED, BY_MARKS));
    }

    /** Returns whether a directory hides the entries that the layers below have in it. */
    public boolean isOpaque(String path) {
        return of(path).containsKey(LayerEntries.OPAQUE);
    }
}
