// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase.load;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.Client;
import site.ycsb.DB;
import site.ycsb.Workload;

/**
 * YCSB's workload of Facebook Messages: users are rows, and new data comes in new columns (§3.3.2).
 *
 * <p>A YCSB table is a column family. The seed and the number of clients determine the operations of every client. The
 * workload prints its progress as lines that {@link YcsbResult} reads.
 */
public final class MessagesWorkload extends Workload {
    static final String SEED = "messages.seed";
    /** The number of progress lines, enough for a bar to move and cheap beside the operations. */
    private static final int PROGRESS_STEPS = 200;

    private static final int MAX_COLUMNS_A_PUT = 3;

    private final AtomicInteger nextUser = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private int users;
    private int step = 1;
    private long seed;

    @Override
    public void init(Properties properties) {
        users = Integer.parseInt(properties.getProperty(Client.RECORD_COUNT_PROPERTY));
        seed = Long.parseLong(properties.getProperty(SEED));
        boolean transactions = Boolean.parseBoolean(properties.getProperty(Client.DO_TRANSACTIONS_PROPERTY, "true"));
        int total = transactions ? Integer.parseInt(properties.getProperty(Client.OPERATION_COUNT_PROPERTY)) : users;
        step = Math.max(1, total / PROGRESS_STEPS);
    }

    /** Gives each client its own random numbers. */
    @Override
    public Object initThread(Properties properties, int client, int clients) {
        return new SplittableRandom(seed * clients + client);
    }

    /** Gives the next user a few columns in every family. */
    @Override
    public boolean doInsert(DB db, Object client) {
        SplittableRandom random = (SplittableRandom) client;
        String key = LoadRequest.key(nextUser.getAndIncrement());
        for (Family family : Family.values()) {
            db.insert(family.label(), key, columns(family, family.loadedColumns(), random));
        }
        progress();
        return true;
    }

    @Override
    public boolean doTransaction(DB db, Object client) {
        SplittableRandom random = (SplittableRandom) client;
        LoadRequest request = LoadRequest.next(random, users);
        String key = LoadRequest.key(request.user());
        Family family = request.family();
        switch (request.kind()) {
            case GET -> db.read(family.label(), key, null, new HashMap<>());
            case PUT -> db.update(family.label(), key, columns(family, 1 + random.nextInt(MAX_COLUMNS_A_PUT), random));
            case DELETE -> db.delete(family.label(), key);
        }
        progress();
        // The method returns true even after a failure, since false would end this client. YCSB counts the failures.
        return true;
    }

    /** Returns new columns. Their names rarely repeat. */
    private static Map<String, ByteIterator> columns(Family family, int count, SplittableRandom random) {
        Map<String, ByteIterator> columns = new HashMap<>();
        for (int i = 0; i < count; i++) {
            byte[] value = new byte[family.meanBytes() / 2 + random.nextInt(family.meanBytes())];
            random.nextBytes(value);
            columns.put("%012x".formatted(random.nextLong(1L << 48)), new ByteArrayByteIterator(value));
        }
        return columns;
    }

    private void progress() {
        int now = done.incrementAndGet();
        if (now % step == 0) {
            System.out.println(YcsbResult.progressLine(now));
        }
    }
}
