// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.tables.engines;

import io.packing.cli.launch.Narrator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Each kind of change that Trino's SQL has for a table of Iceberg, and then two sessions that insert into one table at the same time.
 *
 * @param java the home of Trino's runtime
 */
record TrinoTrial(Path java, Narrator narrator) implements EngineTrial {
    private static final int INSERTS = 10;
    private static final String CHANGED = TrinoServer.CATALOG + ".shop.changed";
    private static final String RACED = TrinoServer.CATALOG + ".shop.raced";

    private static final List<String> CHANGES = List.of(
            "create schema %s.shop with (location = 's3://%s/trino/shop')"
                    .formatted(TrinoServer.CATALOG, EngineGround.TABLES),
            "create table %s (id bigint, name varchar, part bigint) with (partitioning = array['part'])"
                    .formatted(CHANGED),
            "insert into %s select n, 'new', n %% 3 from unnest(sequence(0, 99)) as t(n)".formatted(CHANGED),
            ("merge into %s t using (select n * 2 as id from unnest(sequence(0, 99)) as s(n)) u on t.id = u.id"
                            + " when matched and t.id %% 10 = 0 then delete when matched then update set name = 'merged'"
                            + " when not matched then insert (id, name, part) values (u.id, 'merged', 0)")
                    .formatted(CHANGED),
            "alter table %s add column note varchar".formatted(CHANGED),
            "update %s set note = 'seen' where id = 1".formatted(CHANGED),
            "delete from %s where id > 150".formatted(CHANGED),
            "alter table %s execute optimize".formatted(CHANGED),
            "alter table %s execute expire_snapshots(retention_threshold => '0s')".formatted(CHANGED));

    @Override
    public EngineFigures run(EngineGround ground) throws IOException, InterruptedException {
        long since = System.nanoTime();
        TrinoServer server = TrinoServer.start(ground, java);
        int steps = 0;
        for (String statement : CHANGES) {
            narrator.accept("trino: " + statement);
            List<List<String>> unused = server.run(statement);
            steps++;
        }
        check(server, "select count(*), sum(id), count(note) from " + CHANGED, List.of("116", "7750", "1"));
        check(
                server,
                "select count(*) from %s.shop.\"changed$snapshots\"".formatted(TrinoServer.CATALOG),
                List.of("1"));
        List<List<String>> unused = server.run("create table %s (id bigint)".formatted(RACED));
        int conflicts = race(server);
        List<Long> rows = server.run("select id from " + RACED).stream()
                .map(row -> Long.valueOf(row.get(0)))
                .toList();
        Set<Long> wanted = LongStream.range(0, 2L * INSERTS).boxed().collect(Collectors.toSet());
        return EngineFigures.of(steps + 1 + 2 * INSERTS, conflicts, 0, wanted, rows, since);
    }

    private static void check(TrinoServer server, String query, List<String> wanted)
            throws IOException, InterruptedException {
        List<List<String>> found = server.run(query);
        if (!found.equals(List.of(wanted))) {
            throw new IOException("%s is %s, not %s".formatted(query, found, wanted));
        }
    }

    /** Lets two sessions insert a row at a time; returns how often one had to insert again. */
    private static int race(TrinoServer server) throws IOException, InterruptedException {
        AtomicInteger conflicts = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Future<?>> writers = new ArrayList<>();
            for (int writer = 0; writer < 2; writer++) {
                int first = writer;
                writers.add(threads.submit(() -> {
                    for (int i = 0; i < INSERTS; i++) {
                        insert(server, 2L * i + first, conflicts);
                    }
                    return first;
                }));
            }
            for (Future<?> each : writers) {
                Object unused = each.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("a session that inserts has failed: " + e.getCause(), e);
        } finally {
            List<Runnable> unused = threads.shutdownNow();
        }
        return conflicts.get();
    }

    private static void insert(TrinoServer server, long row, AtomicInteger conflicts)
            throws IOException, InterruptedException {
        while (true) {
            try {
                List<List<String>> unused = server.run("insert into %s values %d".formatted(RACED, row));
                return;
            } catch (TrinoServer.StatementFailedException e) {
                if (!e.isConflict()) {
                    throw e;
                }
                int unused = conflicts.incrementAndGet();
            }
        }
    }
}
