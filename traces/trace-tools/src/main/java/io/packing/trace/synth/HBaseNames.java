// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.synth;

import java.util.HexFormat;

/** Paths and thread names in the style of HBase 2. So one set of rules tells the causes of real and synthetic I/O. */
final class HBaseNames {
    private static final String ROOT = "/hbase";
    private static final String TABLE = ROOT + "/data/default/messages/";
    private static final int PORT = 16020;
    private static final int HANDLERS = 30;

    private final long seed;
    private final String server;
    private final String[] handlers = new String[HANDLERS];
    private final long startMillis;
    private long files;

    HBaseNames(long seed, String host, long startMillis) {
        this.seed = seed;
        this.server = host + "," + PORT + "," + startMillis;
        this.startMillis = startMillis;
        this.host = host;
        for (int i = 0; i < HANDLERS; i++) {
            handlers[i] = "RpcServer.default.FPBQ.Fifo.handler=%d,queue=%d,port=%d".formatted(i, i % 3, PORT);
        }
    }

    private final String host;

    /** Returns the directory of a store, {@code region/family}. */
    String store(int region, String family) {
        return hex(seed ^ 0x5245474L, region) + "/" + family;
    }

    String nextFile() {
        return hex(seed, ++files);
    }

    /** Returns the final path of an HFile of {@code store}. */
    static String file(String store, String name) {
        return TABLE + store + "/" + name;
    }

    /** Returns the path under which a flush or compaction writes the HFile first. */
    static String temporary(String store, String name) {
        int slash = store.indexOf('/');
        return TABLE + store.substring(0, slash) + "/.tmp" + store.substring(slash) + "/" + name;
    }

    String log(long number) {
        return ROOT + "/WALs/" + server + "/" + logName(number);
    }

    String oldLog(long number) {
        return ROOT + "/oldWALs/" + logName(number);
    }

    private String logName(long number) {
        return server.replace(",", "%2C") + "." + (startMillis + number);
    }

    String handler(long number) {
        return handlers[(int) Math.floorMod(number, HANDLERS)];
    }

    String flusher(long number) {
        return "RS_FLUSH_OPERATIONS-regionserver/%s:%d-%d".formatted(host, PORT, number % 2);
    }

    String compactor(boolean big, long number) {
        return "regionserver/%s:%d-%sCompactions-%d".formatted(host, PORT, big ? "long" : "short", number % 2);
    }

    String appender() {
        return "regionserver/%s:%d.append-pool-0".formatted(host, PORT);
    }

    String syncer(long number) {
        return "sync." + number % 5;
    }

    String roller() {
        return "regionserver/%s:%d.logRoller".formatted(host, PORT);
    }

    private static String hex(long seed, long number) {
        long high = EvenSequence.mix(seed * 31 + number);
        return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(EvenSequence.mix(high));
    }
}
