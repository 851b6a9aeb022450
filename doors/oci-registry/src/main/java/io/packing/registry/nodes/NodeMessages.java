// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.nodes;

import io.packing.registry.dedup.ContentSource;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Bodies of requests between nodes. All numbers are big-endian. */
public final class NodeMessages {
    /** Before each path of these requests. */
    public static final String PREFIX = "/_packing/node/";
    /** The header with the secret that all nodes share. */
    public static final String KEY = "Packing-Node-Key";
    /** The answer to a node that asks for a file that is not here. */
    public static final int ABSENT = 0;

    public static final int PRESENT = 1;
    /** Files that one request may ask about. */
    static final int MOST_ASKED = 4_096;

    private static final int MOST_WANTED = 16 << 20;

    private NodeMessages() {}

    static byte[] hashes(List<String> hexes) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        hexes.forEach(hex -> all.writeBytes(HexFormat.of().parseHex(hex)));
        return all.toByteArray();
    }

    /** Reads hashes of 32 bytes. */
    public static List<String> readHashes(InputStream body) throws IOException {
        List<String> hexes = new ArrayList<>();
        byte[] hash = body.readNBytes(FileRecord.HASH);
        while (hash.length == FileRecord.HASH && hexes.size() < MOST_ASKED) {
            hexes.add(HexFormat.of().formatHex(hash));
            hash = body.readNBytes(FileRecord.HASH);
        }
        if (hash.length > 0) {
            throw new IOException("hashes of %d files at most, of 32 bytes each".formatted(MOST_ASKED));
        }
        return hexes;
    }

    static byte[] wanted(List<ContentSource.Wanted> wanted) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(all);
        for (ContentSource.Wanted each : wanted) {
            out.write(HexFormat.of().parseHex(each.hex()));
            out.writeLong(each.length());
            out.writeLong(each.from());
            out.writeInt(each.count());
        }
        return all.toByteArray();
    }

    /** Reads the wanted bytes of files; the answer has each of them behind a byte that says whether it is there. */
    public static List<ContentSource.Wanted> readWanted(InputStream body) throws IOException {
        List<ContentSource.Wanted> wanted = new ArrayList<>();
        byte[] hash = body.readNBytes(FileRecord.HASH);
        DataInputStream in = new DataInputStream(body);
        while (hash.length == FileRecord.HASH && wanted.size() < MOST_ASKED) {
            long length = in.readLong();
            long from = in.readLong();
            int count = in.readInt();
            if (count < 0 || count > MOST_WANTED || from < 0 || from > length - count) {
                throw new IOException("%d bytes at %d of a file of %d".formatted(count, from, length));
            }
            wanted.add(new ContentSource.Wanted(HexFormat.of().formatHex(hash), length, from, count, 0));
            hash = body.readNBytes(FileRecord.HASH);
        }
        if (hash.length > 0) {
            throw new IOException("parts of %d files at most".formatted(MOST_ASKED));
        }
        return wanted;
    }
}
