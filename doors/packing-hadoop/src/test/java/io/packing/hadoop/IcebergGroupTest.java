// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two of Iceberg's tables that change together or not at all. */
@Timeout(300)
final class IcebergGroupTest {
    private static final Schema SCHEMA = new Schema(Types.NestedField.required(1, "id", Types.LongType.get()));
    private static final int RACES = 12;

    @TempDir
    private java.nio.file.Path temp;

    private LocalMount local;
    private Configuration configuration;
    private FileSystem files;
    private String left;
    private String right;
    private IcebergGroup group;

    @BeforeEach
    void start() throws IOException {
        local = LocalMount.start(temp, "1h");
        configuration = local.configure(new Configuration());
        files = FileSystem.get(local.uri(), configuration);
        left = local.uri() + "tables/left";
        right = local.uri() + "tables/right";
        group = new IcebergGroup(configuration, List.of(left, right));
        for (String each : List.of(left, right)) {
            create(each, Map.of());
        }
    }

    @AfterEach
    void stop() throws IOException {
        FileSystem.closeAll();
        local.close();
    }

    private void create(String location, Map<String, String> properties) {
        assertThat(new HadoopTables(configuration).create(SCHEMA, PartitionSpec.unpartitioned(), properties, location))
                .isNotNull();
    }

    private static DataFile file(String table, String name) {
        return DataFiles.builder(PartitionSpec.unpartitioned())
                .withPath(table + "/data/" + name + ".avro")
                .withFileSizeInBytes(100)
                .withRecordCount(1)
                .build();
    }

    private static void append(Table table, String name) {
        table.newAppend().appendFile(file(table.name(), name)).commit();
    }

    private Table plain(String location) {
        return new HadoopTables(configuration).load(location);
    }

    private static List<String> names(Table table) throws IOException {
        List<String> names = new ArrayList<>();
        try (CloseableIterable<FileScanTask> planned = table.newScan().planFiles()) {
            planned.forEach(each -> names.add(new Path(each.file().location()).getName()));
        }
        names.sort(String::compareTo);
        return names;
    }

    private List<String> listed(String table) throws IOException {
        return Arrays.stream(files.listStatus(new Path(table, "metadata")))
                .map(FileStatus::getPath)
                .map(Path::getName)
                .sorted()
                .toList();
    }

    private String hint(String table) throws IOException {
        try (FSDataInputStream in = files.open(new Path(table, "metadata/version-hint.text"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void allTablesChangeAtOnceWithAllTheirOperations() throws IOException {
        List<Table> before = group.load();
        try (IcebergCommit commit = group.begin()) {
            append(commit.table(left), "1");
            append(commit.table(left), "2");
            commit.table(left).updateProperties().set("owner", "group").commit();
            append(commit.table(right), "3");
            assertThat(names(commit.table(left))).containsExactly("1.avro", "2.avro");
            assertThat(names(plain(left))).as("no reader sees it yet").isEmpty();
            commit.apply();
            assertThatThrownBy(commit::apply).isInstanceOf(IllegalStateException.class);
        }
        assertThat(names(plain(left))).containsExactly("1.avro", "2.avro");
        assertThat(plain(left).properties()).containsEntry("owner", "group");
        assertThat(plain(left).snapshots()).hasSize(2);
        assertThat(names(plain(right))).containsExactly("3.avro");
        assertThat(hint(left)).isEqualTo("2");
        assertThat(listed(left))
                .contains("v1.metadata.json", "v2.metadata.json")
                .noneMatch(each -> each.endsWith("temp"));
        before.forEach(Table::refresh);
        assertThat(names(before.get(0))).as("loaded before").isEmpty();
        append(plain(left), "4");
        assertThat(names(group.load().get(0))).containsExactly("1.avro", "2.avro", "4.avro");
    }

    @Test
    void aTableThatMovedFailsTheWholeCommitWhichLeavesNothing() throws IOException {
        List<String> metadata = listed(left);
        try (IcebergCommit commit = group.begin()) {
            append(commit.table(left), "1");
            append(commit.table(right), "2");
            append(plain(right), "other");
            assertThatThrownBy(commit::apply)
                    .isInstanceOf(CommitFailedException.class)
                    .hasMessageContaining(right)
                    .hasMessageContaining("no table of the group was changed");
        }
        assertThat(names(plain(left))).isEmpty();
        assertThat(names(plain(right))).containsExactly("other.avro");
        assertThat(listed(left)).isEqualTo(metadata);
        try (IcebergCommit commit = group.begin()) {
            append(commit.table(left), "1");
            append(commit.table(right), "2");
            commit.apply();
        }
        assertThat(names(plain(left))).containsExactly("1.avro");
        assertThat(names(plain(right))).containsExactly("2.avro", "other.avro");
    }

    @Test
    void aTableThatWasOnlyReadMustNotHaveMovedEither() throws IOException {
        try (IcebergCommit commit = group.begin()) {
            assertThat(names(commit.table(right))).isEmpty();
            append(commit.table(left), "1");
            append(plain(right), "other");
            assertThatThrownBy(commit::apply).isInstanceOf(CommitFailedException.class);
        }
        assertThat(names(plain(left))).isEmpty();
    }

    /** Iceberg's own writers look for the next version only: it may be deleted again, and a commit would be lost. */
    @Test
    void aTableThatDeletesItsOldVersionsHasMovedToo() throws IOException {
        String short1 = local.uri() + "tables/short";
        create(
                short1,
                Map.of(
                        TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED,
                        "true",
                        TableProperties.METADATA_PREVIOUS_VERSIONS_MAX,
                        "1"));
        try (IcebergCommit commit = new IcebergGroup(configuration, List.of(left, short1)).begin()) {
            append(commit.table(left), "1");
            append(commit.table(short1), "2");
            for (int i = 0; i < 4; i++) {
                append(plain(short1), "other" + i);
            }
            assertThat(listed(short1)).doesNotContain("v2.metadata.json");
            assertThatThrownBy(commit::apply).isInstanceOf(CommitFailedException.class);
        }
        assertThat(names(plain(left))).isEmpty();
        assertThat(names(plain(short1))).hasSize(4);
    }

    @Test
    void tablesElsewhereAndTablesOfNoGroupAreRefused() {
        String elsewhere = temp.resolve("elsewhere").toUri().toString();
        create(elsewhere, Map.of());
        assertThatThrownBy(() -> new IcebergGroup(configuration, List.of(left, elsewhere)).begin())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("in one mount");
        assertThatThrownBy(() -> new IcebergGroup(configuration, List.of(left, left)))
                .isInstanceOf(IllegalArgumentException.class);
        try (IcebergCommit commit = group.begin()) {
            assertThatThrownBy(() -> commit.table(elsewhere)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void ofTwoWritersOneCommitsAndNoReaderSeesOneTableChangedAlone() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        AtomicBoolean over = new AtomicBoolean();
        CyclicBarrier staged = new CyclicBarrier(2);
        CyclicBarrier applied = new CyclicBarrier(2);
        try {
            Future<Integer> reader = threads.submit(() -> {
                int reads = 0;
                for (; !over.get(); reads++) {
                    List<Table> both = group.load();
                    assertThat(names(both.get(0))).isEqualTo(names(both.get(1)));
                }
                return reads;
            });
            List<Future<Integer>> writers = new ArrayList<>();
            for (int writer = 0; writer < 2; writer++) {
                String name = "writer" + writer;
                writers.add(threads.submit(() -> {
                    int won = 0;
                    for (int race = 0; race < RACES; race++) {
                        try (IcebergCommit commit = group.begin()) {
                            append(commit.table(left), name + "-" + race);
                            append(commit.table(right), name + "-" + race);
                            staged.await();
                            commit.apply();
                            won++;
                        } catch (CommitFailedException e) {
                            assertThat(e).hasMessageContaining("no table of the group was changed");
                        }
                        applied.await();
                    }
                    return won;
                }));
            }
            int won = 0;
            for (Future<Integer> each : writers) {
                won += each.get();
            }
            over.set(true);
            assertThat(won).isEqualTo(RACES);
            assertThat(reader.get()).isPositive();
        } finally {
            threads.shutdownNow();
        }
        assertThat(names(plain(left))).hasSize(RACES).isEqualTo(names(plain(right)));
    }
}
