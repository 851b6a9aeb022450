// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A layer of the maps of fragmented files (RFC 0020). Frozen layers are a tree: each names the one below it, and several may be over it. A
 * file changes its top only, which no other file has. The layer of a file that was never cloned has the id of the file, and no row of its own.
 *
 * @param below the layer below this one; 0: none
 * @param file the file whose top it is; 0: it is frozen, or its file is gone
 * @param own references and holes of the layer itself, once it is frozen
 * @param all references and holes of this layer, once it is frozen, and of all layers below it; at most, since upkeep merges these
 */
public record MapLayer(long below, long file, long own, long all) {
    /** The ids of layers are above those of files, and below hidden directories. */
    public static final long FIRST_ID = 1L << 61;
    /** The place of the rows among those of maps: the root is no file. */
    private static final long LAYERS = Inode.ROOT_ID;

    private static final int VERSION = 1;
    private static final int KEY = 1 + 2 * Long.BYTES;

    public MapLayer {
        if (below < 0 || file < 0 || own < 0 || all < own) {
            throw new Bytes.MalformedException(
                    "a layer of file %d over layer %d, %d of %d references".formatted(file, below, own, all));
        }
    }

    /**
     * The use of a frozen layer.
     *
     * @param user the layer above it, or the file that a row of the past has
     * @param position of the row of the past; 0: a layer is the user
     */
    public record Use(long user, long position) {}

    /** A layer that a file has as its top, and the file. */
    public record Top(long layer, long file) {}

    /** Returns whether no file may change the layer. */
    public boolean isFrozen() {
        return file == 0;
    }

    /** Returns the key of a layer's row. */
    public static byte[] key(long layer) {
        return Keys.pair(Keys.MAP, LAYERS, layer);
    }

    /** Returns the number of the layer that a key is of, if the key is of the row of a layer; else it is of a use. */
    public static OptionalLong layer(byte[] key) {
        return key.length == KEY ? OptionalLong.of(Keys.secondNumber(key)) : OptionalLong.empty();
    }

    /** Returns the key of a use of a layer. */
    public static byte[] use(long layer, Use use) {
        return ByteBuffer.allocate(KEY + 2 * Long.BYTES)
                .put(key(layer))
                .putLong(use.user())
                .putLong(use.position())
                .array();
    }

    /** Returns the key that tells that a layer has no file and no use any more. */
    public static byte[] gone(long layer) {
        return Keys.pair(Keys.MAP, 0, layer);
    }

    /** Returns the row of a layer; empty: the layer has none. */
    public static Optional<MapLayer> find(Rows rows, long layer) throws IOException {
        return rows.get(key(layer)).map(MapLayer::decode);
    }

    /** Returns the row of a layer that has one. */
    public static MapLayer get(Rows rows, long layer) throws IOException {
        return find(rows, layer).orElseThrow(() -> new IOException("layer %d of a map is not there".formatted(layer)));
    }

    /** Returns the first uses of a layer; at most so many. */
    public static List<Use> uses(Rows rows, long layer, int most) throws IOException {
        List<Use> found = new ArrayList<>();
        rows.scan(use(layer, new Use(0, 0)), key(layer + 1), (key, value) -> {
            ByteBuffer numbers = ByteBuffer.wrap(key);
            found.add(new Use(numbers.getLong(KEY), numbers.getLong(KEY + Long.BYTES)));
            return found.size() < most;
        });
        return found;
    }

    /** Returns the tops of files that are over a layer, or are the layer itself; at most so many. */
    public static List<Top> tops(Rows rows, long layer, int most) throws IOException {
        List<Top> found = new ArrayList<>();
        Deque<Long> left = new ArrayDeque<>(List.of(layer));
        while (!left.isEmpty() && found.size() < most) {
            long next = left.pop();
            Optional<MapLayer> row = find(rows, next);
            if (row.isEmpty() || !row.get().isFrozen()) {
                found.add(new Top(next, row.map(MapLayer::file).orElse(next)));
                continue;
            }
            for (Use each : uses(rows, next, Integer.MAX_VALUE)) {
                if (each.position() == 0) {
                    left.push(each.user());
                }
            }
        }
        return found;
    }

    public byte[] encode() {
        return new Bytes.Out()
                .byte1(VERSION)
                .number(below)
                .number(file)
                .number(own)
                .number(all)
                .toBytes();
    }

    static MapLayer decode(byte[] row) {
        Bytes.In in = new Bytes.In(row);
        int version = in.byte1();
        if (version != VERSION) {
            throw new Bytes.MalformedException(
                    "layer of version %d, which a newer master wrote: update this master".formatted(version));
        }
        return new MapLayer(in.number(), in.number(), in.number(), in.number());
    }
}
