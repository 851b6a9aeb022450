// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.tables;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import io.packing.cli.launch.Narrator;
import io.packing.rig.DirectoryRig;
import io.packing.rig.Workspace;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * Commits of two writers, each a process, to one table of each format on a mount. In a race both have written a file upon a version and commit at the
 * same time; the loser writes upon the newer version and commits again. Then a writer that appends row after row is killed at random times. All
 * rows are read from the table's files at the end, and after each kill.
 *
 * @param races of each format
 * @param kills of each format
 * @param seed of the times of kills
 */
public record TableRaces(int races, int kills, long seed, Narrator narrator) {
    private static final int MOST_MILLIS = 400;
    /** A commit reads the versions before it, so a table is not used for ever. */
    private static final int RACES_OF_A_TABLE = 100;
    /** A kill's table is read whole after it, so it is not used for ever. */
    private static final int KILLS_OF_A_TABLE = 20;

    public TableRaces {
        if (races < 0 || kills < 0 || races + kills == 0) {
            throw new IllegalArgumentException("--races and --kills must not be negative, nor both 0");
        }
    }

    /**
     * The figures of a format.
     *
     * @param races in which two writers committed at once
     * @param conflicts commits that were refused, since another one came first
     * @param commits that were answered as done, in races and before kills
     * @param lost answered rows that the table does not have
     * @param twice rows that the table has more than once
     * @param kills of a writer
     * @param broken tables that could not be read, or that took no further commit, after a kill
     * @param failure the first of them; empty: none
     */
    public record Figures(
            int races, long conflicts, long commits, long lost, long twice, int kills, int broken, String failure) {
        boolean isSound() {
            return lost + twice + broken == 0;
        }
    }

    /** The figures by format. */
    public record Result(long seed, @JsonIgnore Map<String, Figures> formats) {
        @JsonAnyGetter
        Map<String, Figures> byKey() {
            return formats;
        }

        /** Returns whether nothing was lost, doubled or broken. */
        @JsonIgnore
        public boolean isSound() {
            return formats.values().stream().allMatch(Figures::isSound);
        }

        public void print(PrintWriter out) {
            out.printf(
                    Locale.ROOT,
                    "%-16s %8s %10s %9s %6s %6s %6s %7s%n",
                    "format",
                    "races",
                    "conflicts",
                    "commits",
                    "lost",
                    "twice",
                    "kills",
                    "broken");
            formats.forEach((key, each) -> out.printf(
                    Locale.ROOT,
                    "%-16s %,8d %,10d %,9d %,6d %,6d %,6d %,7d %s%n",
                    key,
                    each.races(),
                    each.conflicts(),
                    each.commits(),
                    each.lost(),
                    each.twice(),
                    each.kills(),
                    each.broken(),
                    each.failure()));
        }
    }

    /** Tries each format on a mount. */
    public Result run(DirectoryRig rig) throws IOException, InterruptedException {
        Configuration configuration = new Configuration();
        rig.mountOptions().forEach(configuration::set);
        Map<String, Figures> formats = new LinkedHashMap<>();
        try (Workspace workspace = Workspace.create("packing-tables")) {
            Path logs = workspace.directory();
            for (TableKind kind : TableKind.values()) {
                TableCounts counts = new TableCounts();
                race(kind, rig, configuration, logs, counts);
                kill(kind, rig, configuration, logs, counts);
                formats.put(kind.key(), counts.figures(races, kills));
            }
        } finally {
            FileSystem.closeAll();
        }
        return new Result(seed, Collections.unmodifiableMap(formats));
    }

    private static String location(DirectoryRig rig, TableKind kind, String table) {
        return rig.root() + "tables/" + kind.key() + "/" + table;
    }

    private void race(TableKind kind, DirectoryRig rig, Configuration configuration, Path logs, TableCounts counts)
            throws IOException {
        for (int first = 0; first < races; first += RACES_OF_A_TABLE) {
            narrator.accept("%s: race %,d of %,d".formatted(kind.key(), first + 1, races));
            String location = location(rig, kind, "races-" + first);
            RowTable table = kind.open(configuration, location);
            table.create();
            try (TableWriterProcess one = TableWriterProcess.start(kind, location, rig.mountOptions(), logs);
                    TableWriterProcess other = TableWriterProcess.start(kind, location, rig.mountOptions(), logs)) {
                race(table, List.of(one, other), Math.min(RACES_OF_A_TABLE, races - first), counts);
            }
        }
    }

    private static void race(RowTable table, List<TableWriterProcess> writers, int count, TableCounts counts)
            throws IOException {
        Set<Long> answered = new HashSet<>();
        for (int race = 0; race < count; race++) {
            for (int i = 0; i < writers.size(); i++) {
                writers.get(i).say("race " + (2L * race + i));
            }
            for (TableWriterProcess each : writers) {
                String unused = each.expect("prepared");
            }
            writers.forEach(each -> each.say("commit"));
            for (int i = 0; i < writers.size(); i++) {
                counts.commits(1, Long.parseLong(writers.get(i).expect("committed ")));
                answered.add(2L * race + i);
            }
        }
        counts.compare(table.rows(), answered, Optional.empty());
        if (table.commits() != answered.size()) {
            counts.breaks(new IOException(
                    "the table has %,d versions after %,d commits".formatted(table.commits(), answered.size())));
        }
    }

    private void kill(TableKind kind, DirectoryRig rig, Configuration configuration, Path logs, TableCounts counts)
            throws IOException, InterruptedException {
        Random random = new Random(seed);
        long next = 0;
        Set<Long> answered = new HashSet<>();
        Optional<RowTable> table = Optional.empty();
        String location = "";
        for (int kill = 0; kill < kills; kill++) {
            if (kill % KILLS_OF_A_TABLE == 0) {
                narrator.accept("%s: kill %,d of %,d".formatted(kind.key(), kill + 1, kills));
                location = location(rig, kind, "kills-" + kill);
                table = Optional.of(kind.open(configuration, location));
                table.get().create();
                answered.clear();
            }
            try (TableWriterProcess writer = TableWriterProcess.start(kind, location, rig.mountOptions(), logs)) {
                writer.say("append " + next);
                // The first answer comes when the writer has loaded its classes.
                answered.add(Long.valueOf(writer.expect("row ")));
                Thread.sleep(random.nextInt(MOST_MILLIS));
                answered.addAll(writer.kill());
            }
            long last = Collections.max(answered);
            counts.commits(last - next + 1, 0);
            try {
                List<Long> rows = table.orElseThrow().rows();
                counts.compare(rows, answered, Optional.of(last + 1));
                if (rows.contains(last + 1)) {
                    answered.add(last + 1);
                }
                if (!table.orElseThrow().prepare(last + 2).commit()) {
                    throw new IOException("a commit to the table is refused after a kill");
                }
                answered.add(last + 2);
            } catch (IOException | RuntimeException e) {
                counts.breaks(e);
            }
            next = last + 3;
        }
    }
}
