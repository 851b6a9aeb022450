// SPDX-License-Identifier: Apache-2.0
package io.packing.layers;

import io.packing.bdt.Bdt;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.bdt.RareAttributes;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.fuse.Mode;
import io.packing.registry.files.FileBytes;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.oci.Digest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Everything that a tree of a mount shows, a line for each path: type, mode, owners, time, names, attributes, bytes. */
public final class TreeLook {
    private static final int MOST = 64 << 20;

    private final RegistryFiles files;
    private final Bdt bdt;
    private final Map<String, String> lines = new TreeMap<>();
    private final Map<Long, String> first = new HashMap<>();

    private TreeLook(RegistryFiles files, Bdt bdt) {
        this.files = files;
        this.bdt = bdt;
    }

    /** Looks at a directory and all below it. */
    public static Map<String, String> at(RegistryFiles files, Bdt bdt, FilePath root) throws IOException {
        TreeLook look = new TreeLook(files, bdt);
        look.add("", files.stat(root).orElseThrow());
        look.below("", root);
        return look.lines;
    }

    private void below(String prefix, FilePath directory) throws IOException {
        String after = "";
        while (true) {
            List<FileStatus> page = files.list(directory, after, 1_000).orElseThrow();
            for (FileStatus entry : page) {
                String path = prefix + entry.path().name();
                add(path, entry);
                if (entry.isDirectory()) {
                    below(path + "/", entry.path());
                }
                after = entry.path().name();
            }
            if (page.size() < 1_000) {
                return;
            }
        }
    }

    private void add(String path, FileStatus status) throws IOException {
        FileAttributes has = status.attributes();
        int type = status.isDirectory() ? Mode.DIRECTORY : has.mode() & Mode.TYPE;
        Instant time = RareAttributes.time(has.mtimeMillis(), status.extras().nanos());
        StringBuilder attributes = new StringBuilder();
        for (Map.Entry<String, ExtendedValue> each :
                new TreeMap<>(bdt.extended(status.path()).orElse(Map.of())).entrySet()) {
            attributes
                    .append(each.getKey())
                    .append('=')
                    .append(HexFormat.of().formatHex(each.getValue().bytes()))
                    .append(' ');
        }
        String link = status.extras().isLinked()
                ? first.computeIfAbsent(status.version().id(), unused -> path)
                : path;
        lines.put(
                path,
                "%s %o %s:%s at %d.%09d %s[%s]%s"
                        .formatted(
                                letter(type),
                                has.permissions(),
                                has.owner(),
                                has.group(),
                                time.getEpochSecond(),
                                time.getNano(),
                                body(type, status),
                                attributes.toString().strip(),
                                link.equals(path) ? "" : " is " + link));
    }

    private String body(int type, FileStatus status) throws IOException {
        if (type == Mode.DIRECTORY || type == Mode.FIFO) {
            return "";
        }
        byte[] bytes = FileBytes.all(files.open(status.path()), MOST);
        return switch (type) {
            case Mode.SYMLINK -> HexFormat.of().formatHex(bytes);
            case Mode.CHARACTER_DEVICE, Mode.BLOCK_DEVICE -> {
                int number =
                        bytes.length == 0 ? 0 : Integer.parseUnsignedInt(new String(bytes, StandardCharsets.US_ASCII));
                yield ((number >>> 8) & 0xfff) + ":" + ((number & 0xff) | ((number >>> 12) & 0xfff00));
            }
            default -> Digest.Algorithm.SHA256.of(bytes).hex().substring(0, 16) + " of " + bytes.length;
        };
    }

    private static String letter(int type) {
        return switch (type) {
            case Mode.DIRECTORY -> "d";
            case Mode.SYMLINK -> "l";
            case Mode.CHARACTER_DEVICE -> "c";
            case Mode.BLOCK_DEVICE -> "b";
            case Mode.FIFO -> "p";
            default -> "f";
        };
    }
}
