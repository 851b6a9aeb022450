// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Writers that commit as table formats do. The writer that makes the file of a version first has committed it. Each other writer gets a
 * {@link FileAlreadyExistsException}, and tries the next version. Any other exception fails a transaction. {@code -Dpacking.commits=N} lets each
 * writer commit N times instead of 25.
 */
@Timeout(600)
@Tag("hunt")
final class CommitByRenameTest {
    private static final Path LOG = new Path("/table/_delta_log");
    private static final int COMMITS = Integer.getInteger("packing.commits", 25);

    @TempDir
    private java.nio.file.Path temp;

    private LocalMount local;
    private Configuration configuration;
    private final AtomicLong latest = new AtomicLong(-1);
    private final AtomicLong conflicts = new AtomicLong();
    private final AtomicLong writers = new AtomicLong();

    @BeforeEach
    void start() throws IOException {
        local = LocalMount.start(temp, "1h");
        configuration = local.configure(new Configuration());
        try (FileSystem files = FileSystem.newInstance(local.uri(), configuration)) {
            assertThat(files.mkdirs(LOG)).isTrue();
        }
    }

    @AfterEach
    void stop() throws IOException {
        FileSystem.closeAll();
        local.close();
    }

    /** Commits one version. */
    private interface Committer {
        void commit(Path version, String text) throws IOException;
    }

    /** As Delta's log store for HDFS does, which is its default for a scheme that it does not know. */
    private Committer byFileContext() throws IOException {
        FileContext context = FileContext.getFileContext(local.uri(), configuration);
        AtomicLong drafts = new AtomicLong();
        long writer = writers.incrementAndGet();
        return (version, text) -> {
            Path draft = new Path(LOG, ".%s.%d.%d.tmp".formatted(version.getName(), writer, drafts.incrementAndGet()));
            try (FSDataOutputStream out =
                    context.create(draft, EnumSet.of(CreateFlag.CREATE), Options.CreateOpts.createParent())) {
                out.writeBytes(text);
            }
            try {
                context.rename(draft, version, Options.Rename.NONE);
            } catch (FileAlreadyExistsException e) {
                assertThat(context.delete(draft, false)).isTrue();
                throw e;
            }
        };
    }

    /** As writers do that create the file of a version itself. */
    private Committer byCreate() throws IOException {
        FileSystem files = FileSystem.get(local.uri(), configuration);
        return (version, text) -> {
            try (FSDataOutputStream out = files.create(version, false)) {
                out.writeBytes(text);
            }
        };
    }

    private static Path version(long number) {
        return new Path(LOG, String.format(Locale.ROOT, "%020d.json", number));
    }

    /** Commits until all of a writer's transactions are in the log; returns the written ones, by version. */
    private Map<Long, String> write(Committer committer, String writer) throws IOException {
        Map<Long, String> written = new TreeMap<>();
        for (int i = 0; i < COMMITS; i++) {
            String text = writer + " " + i;
            long number = latest.get() + 1;
            while (!isCommitted(committer, number, text)) {
                conflicts.incrementAndGet();
                number++;
            }
            written.put(number, text);
            long committed = number;
            latest.accumulateAndGet(committed, Math::max);
        }
        return written;
    }

    private static boolean isCommitted(Committer committer, long number, String text) throws IOException {
        try {
            committer.commit(version(number), text);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    private void everyTransactionIsInTheLog(int writers, Callable<Committer> committers) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        Map<Long, String> written = new TreeMap<>();
        try {
            List<Future<Map<Long, String>>> all = IntStream.range(0, writers)
                    .mapToObj(writer -> threads.submit(() -> write(committers.call(), "writer " + writer)))
                    .toList();
            for (Future<Map<Long, String>> each : all) {
                for (Map.Entry<Long, String> one : each.get().entrySet()) {
                    assertThat(written.put(one.getKey(), one.getValue()))
                            .as("version %d was given twice", one.getKey())
                            .isNull();
                }
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(written).hasSize(writers * COMMITS);
        FileSystem files = FileSystem.get(local.uri(), configuration);
        Set<String> names = new HashSet<>();
        for (FileStatus each : files.listStatus(LOG)) {
            names.add(each.getPath().getName());
        }
        assertThat(names).hasSize(written.size());
        for (Map.Entry<Long, String> each : written.entrySet()) {
            try (FSDataInputStream in = files.open(version(each.getKey()))) {
                assertThat(new String(in.readAllBytes(), StandardCharsets.US_ASCII))
                        .isEqualTo(each.getValue());
            }
        }
        System.out.printf("%d writers, %d commits each: %d conflicts%n", writers, COMMITS, conflicts.get());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8})
    void noTransactionFailsOrIsLostByRenames(int writers) throws Exception {
        everyTransactionIsInTheLog(writers, this::byFileContext);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 8})
    void noTransactionFailsOrIsLostByCreates(int writers) throws Exception {
        everyTransactionIsInTheLog(writers, this::byCreate);
    }

    @Test
    void aFileContextNeedsNoSettingOnceThereIsAFileSystem() throws IOException {
        Configuration bare = new Configuration();
        assertThat(local.configure(new Configuration()).get("fs.AbstractFileSystem.packing.impl"))
                .isEqualTo(PackingAbstractFileSystem.class.getName());
        assertThat(bare.get("mapreduce.outputcommitter.factory.scheme.packing"))
                .isEqualTo(PackingCommitterFactory.class.getName());
        bare.set("fs.AbstractFileSystem.packing.impl", "another");
        bare.reloadConfiguration();
        assertThat(bare.get("fs.AbstractFileSystem.packing.impl")).isEqualTo("another");
    }

    @Test
    void aCreateThatLosesAtItsCloseSaysThatTheFileExists() throws IOException {
        FileSystem files = FileSystem.get(local.uri(), configuration);
        Path path = version(0);
        FSDataOutputStream first = files.create(path, false);
        FSDataOutputStream second = files.create(path, false);
        first.writeBytes("first");
        second.writeBytes("second");
        first.close();
        assertThatThrownBy(second::close).isInstanceOf(FileAlreadyExistsException.class);
        try (FSDataInputStream in = files.open(path)) {
            assertThat(in.readAllBytes()).hasSize("first".length());
        }
    }

    @Test
    void aRenameWithoutOverwriteIsRefusedAsByHdfs() throws IOException {
        FileContext context = FileContext.getFileContext(local.uri(), configuration);
        byCreate().commit(version(0), "zero");
        byCreate().commit(version(1), "one");
        Path none = new Path(LOG, "none");
        assertThatThrownBy(() -> context.rename(version(0), version(1))).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> context.rename(version(0), version(0))).isInstanceOf(FileAlreadyExistsException.class);
        // The shell moves into a directory, a file context does not.
        assertThatThrownBy(() -> context.rename(version(0), LOG.getParent()))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> context.rename(none, new Path(LOG, "other")))
                .isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> context.rename(version(0), new Path(none, "f")))
                .isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> context.rename(version(0), new Path(version(1), "f")))
                .isInstanceOf(ParentNotDirectoryException.class);
        assertThatThrownBy(() -> context.rename(LOG, new Path(LOG, "below"))).isInstanceOf(IOException.class);
        context.rename(version(0), version(2));
        assertThat(FileSystem.get(local.uri(), configuration).exists(version(0)))
                .isFalse();
    }
}
