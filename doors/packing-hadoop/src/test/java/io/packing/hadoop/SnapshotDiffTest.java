// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.seed.Seed;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReport;
import org.apache.hadoop.tools.DistCp;
import org.apache.hadoop.tools.DistCpOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Differences of snapshots have HDFS's form, so that distcp copies by them. */
@Timeout(300)
final class SnapshotDiffTest {
    private static final Path SOURCE = new Path("/source");
    private static final Path TARGET = new Path("/target");

    @TempDir
    private java.nio.file.Path temp;

    private LocalMount local;
    private Configuration configuration;
    private PackingHadoopFileSystem files;

    @BeforeEach
    void start() throws IOException {
        local = LocalMount.start(temp, "1h");
        configuration = local.configure(new Configuration());
        configuration.set("fs.defaultFS", local.uri().toString());
        configuration.set("mapreduce.framework.name", "local");
        configuration.set("hadoop.tmp.dir", temp.resolve("scratch").toString());
        configuration.set("mapreduce.cluster.local.dir", temp.resolve("scratch").toString());
        configuration.set(
                "mapreduce.jobtracker.staging.root.dir",
                temp.resolve("staging").toUri().toString());
        configuration.setInt("mapreduce.client.completion.pollinterval", 50);
        files = (PackingHadoopFileSystem) FileSystem.get(local.uri(), configuration);
        assertThat(files.mkdirs(SOURCE)).isTrue();
    }

    @AfterEach
    void stop() throws IOException {
        FileSystem.closeAll();
        local.close();
    }

    private void write(String name, String text) throws IOException {
        try (FSDataOutputStream out = files.create(new Path(SOURCE, name), true)) {
            out.write(text.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private void append(String name, String text) throws IOException {
        try (FSDataOutputStream out = files.append(new Path(SOURCE, name))) {
            out.write(text.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private void rename(String from, String to) throws IOException {
        assertThat(files.rename(new Path(SOURCE, from), new Path(SOURCE, to))).isTrue();
    }

    private void delete(String name) throws IOException {
        assertThat(files.delete(new Path(SOURCE, name), true)).isTrue();
    }

    /** Letters and paths of the differences. */
    private List<String> differences(String from, String to) throws IOException {
        SnapshotDiffReport report = files.getSnapshotDiffReport(SOURCE, from, to);
        List<String> all = new ArrayList<>();
        for (SnapshotDiffReport.DiffReportEntry each : report.getDiffList()) {
            all.add(each.toString().replace("\t", " "));
        }
        return all;
    }

    @Test
    void entriesAreCalledAsTheyWereAtFirst() throws IOException {
        write("kept", "1");
        write("gone", "2");
        write("d/grows", "3");
        write("d/moves", "4");
        write("another", "55");
        write("other", "66");
        files.createSnapshot(SOURCE, "s1");
        rename("d", "e");
        append("e/grows", "3");
        write("e/new/file", "7");
        rename("e/moves", "moved");
        delete("gone");
        delete("another");
        rename("other", "another");
        files.createSnapshot(SOURCE, "s2");
        List<String> forth = List.of(
                "- ./another",
                "- ./gone",
                "- ./other",
                "+ ./another",
                "+ ./d/new",
                "M ./d/grows",
                "R ./d -> ./e",
                "R ./d/moves -> ./moved");
        assertThat(differences("s1", "s2")).containsExactlyInAnyOrderElementsOf(forth);
        assertThat(differences("s1", "")).containsExactlyInAnyOrderElementsOf(forth);
        assertThat(differences("s1", ".")).containsExactlyInAnyOrderElementsOf(forth);
        assertThat(differences("s2", "")).isEmpty();
        assertThat(differences("s2", "s1"))
                .contains("R ./e -> ./d", "R ./moved -> ./d/moves", "+ ./gone", "M ./e/grows", "- ./e/new");
    }

    @Test
    void whatIsNotThereIsNotFound() throws IOException {
        files.createSnapshot(SOURCE, "s1");
        assertThatThrownBy(() -> files.getSnapshotDiffReport(SOURCE, "s1", "s2"))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining("snapshot s2");
        assertThatThrownBy(() -> files.getSnapshotDiffReport(new Path("/none"), "s1", ""))
                .isInstanceOf(FileNotFoundException.class);
        write("file", "1");
        assertThatThrownBy(() -> files.getSnapshotDiffReport(new Path(SOURCE, "file"), "", ""))
                .isInstanceOf(FileNotFoundException.class);
    }

    private static DistCpOptions.Builder options(Path from) {
        return new DistCpOptions.Builder(List.of(from), TARGET).withSyncFolder(true);
    }

    private void copy(DistCpOptions options) throws Exception {
        assertThat(new DistCp(new Configuration(configuration), options)
                        .execute()
                        .isSuccessful())
                .isTrue();
    }

    /** Returns the entries in a directory, by the paths below it. */
    private Map<String, String> contents(Path directory) throws IOException {
        Map<String, String> all = new TreeMap<>();
        contents(directory, "", all);
        return all;
    }

    private void contents(Path directory, String above, Map<String, String> all) throws IOException {
        for (FileStatus each : files.listStatus(directory)) {
            String name = above + each.getPath().getName();
            if (each.isDirectory()) {
                all.put(name + "/", "");
                contents(each.getPath(), name + "/", all);
            } else {
                try (FSDataInputStream in = files.open(each.getPath())) {
                    all.put(name, new String(in.readAllBytes(), StandardCharsets.US_ASCII));
                }
            }
        }
    }

    @Test
    void distcpMakesACopyTheSameByTheDifferencesAlone() throws Exception {
        Random random = Seed.random();
        for (int i = 0; i < 30; i++) {
            write("d%d/e%d/f%d".formatted(i % 3, i % 2, i), "file " + i);
        }
        files.createSnapshot(SOURCE, "s0");
        copy(options(new Path(SOURCE, ".snapshot/s0")).build());
        assertThat(contents(TARGET)).isEqualTo(contents(SOURCE));
        for (int round = 1; round <= 5; round++) {
            files.createSnapshot(TARGET, "s" + (round - 1));
            for (int i = 0; i < 12; i++) {
                change(random, "%d.%d".formatted(round, i));
            }
            files.createSnapshot(SOURCE, "s" + round);
            copy(options(SOURCE).withUseDiff("s" + (round - 1), "s" + round).build());
            assertThat(contents(TARGET)).as("round " + round).isEqualTo(contents(SOURCE));
        }
    }

    private void change(Random random, String name) throws IOException {
        List<String> all = new ArrayList<>(contents(SOURCE).keySet());
        String one = pick(random, all, false);
        String directory = pick(random, all, true);
        switch (random.nextInt(7)) {
            case 0 -> write(one, "other " + name);
            case 1 -> append(one, name);
            case 2 -> write(directory + "new" + name, name);
            case 3 -> delete(one);
            case 4 -> rename(one, directory + "moved" + name);
            case 5 -> {
                // The other file may have this length, and be older.
                String other = pick(random, all, false);
                if (!other.equals(one)) {
                    delete(other);
                    rename(one, other);
                }
            }
            default -> {
                if (!directory.isEmpty()) {
                    rename(directory, "renamed" + name);
                }
            }
        }
    }

    /** Returns a file or, with a slash behind it, a directory; empty: the highest one. */
    private static String pick(Random random, List<String> all, boolean directory) {
        List<String> fitting =
                all.stream().filter(each -> each.endsWith("/") == directory).toList();
        return fitting.isEmpty() ? "" : fitting.get(random.nextInt(fitting.size()));
    }
}
