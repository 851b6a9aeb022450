// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.hadoop.LocalMount;
import io.packing.hadoop.PackingHadoopFileSystem;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.RecoverableFsDataOutputStream;
import org.apache.flink.core.fs.RecoverableWriter;
import org.apache.flink.core.fs.RecoverableWriter.CommitRecoverable;
import org.apache.flink.core.fs.RecoverableWriter.ResumeRecoverable;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Parts of Flink's sinks that are persisted, given up, recovered and committed. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FlinkWriterTest {
    @TempDir
    private static java.nio.file.Path temp;

    private LocalMount local;
    private PackingHadoopFileSystem files;
    private RecoverableWriter writer;
    private org.apache.hadoop.fs.Path sink;
    private Path target;

    @BeforeAll
    void start() throws IOException {
        local = LocalMount.start(temp, "1h");
        files = new PackingHadoopFileSystem();
        files.initialize(local.uri(), local.configure(new org.apache.hadoop.conf.Configuration()));
        writer = new FlinkFileSystem(files).createRecoverableWriter(Map.of());
    }

    @BeforeEach
    void choose(TestInfo test) {
        sink = new org.apache.hadoop.fs.Path(
                local.uri() + test.getTestMethod().orElseThrow().getName());
        target = new Path(sink + "/part-0");
    }

    @AfterAll
    void stop() throws IOException {
        files.close();
        local.close();
    }

    private static void write(RecoverableFsDataOutputStream stream, String text) throws IOException {
        stream.write(text.getBytes(StandardCharsets.UTF_8));
    }

    private String read() throws IOException {
        try (FSDataInputStream in = files.open(new org.apache.hadoop.fs.Path(target.toUri()))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private List<String> names() throws IOException {
        return Arrays.stream(files.listStatus(sink))
                .map(FileStatus::getPath)
                .map(org.apache.hadoop.fs.Path::getName)
                .toList();
    }

    /** Sends a checkpoint's object through its bytes, as a job that starts again reads it. */
    private ResumeRecoverable again(ResumeRecoverable recoverable) throws IOException {
        SimpleVersionedSerializer<ResumeRecoverable> codec = writer.getResumeRecoverableSerializer();
        return codec.deserialize(codec.getVersion(), codec.serialize(recoverable));
    }

    private CommitRecoverable again(CommitRecoverable recoverable) throws IOException {
        SimpleVersionedSerializer<CommitRecoverable> codec = writer.getCommitRecoverableSerializer();
        return codec.deserialize(codec.getVersion(), codec.serialize(recoverable));
    }

    @Test
    void flinkFindsTheFileSystemByItsScheme() throws IOException {
        Configuration flink = new Configuration();
        local.configure(new org.apache.hadoop.conf.Configuration(false))
                .forEach(option -> flink.setString("flink.hadoop." + option.getKey(), option.getValue()));
        FileSystem.initialize(flink, null);
        try {
            FileSystem found = FileSystem.get(local.uri());
            assertThat(found).isInstanceOf(FlinkFileSystem.class);
            try (RecoverableFsDataOutputStream stream =
                    found.createRecoverableWriter().open(target)) {
                write(stream, "found");
                stream.closeForCommit().commit();
            }
            assertThat(read()).isEqualTo("found");
        } finally {
            FileSystem.initialize(new Configuration(), null);
        }
    }

    @Test
    void aPartAppearsWithItsCommit() throws IOException {
        RecoverableFsDataOutputStream stream = writer.open(target);
        write(stream, "one ");
        assertThat(stream.persist()).isNotNull();
        write(stream, "two");
        RecoverableFsDataOutputStream.Committer commit = stream.closeForCommit();
        assertThat(names()).hasSize(1).allMatch(each -> each.startsWith(".part-0.inprogress."));
        commit.commit();
        assertThat(names()).containsExactly("part-0");
        assertThat(read()).isEqualTo("one two");
    }

    @Test
    void bytesBehindACheckpointAreCutOffAndTheirWriterFails() throws IOException {
        RecoverableFsDataOutputStream earlier = writer.open(target);
        write(earlier, "kept ");
        ResumeRecoverable checkpoint = again(earlier.persist());
        write(earlier, "lost ");
        earlier.sync();
        RecoverableFsDataOutputStream stream = writer.recover(checkpoint);
        assertThat(stream.getPos()).isEqualTo(5);
        write(earlier, "of a process that does not know that its job has a new life");
        assertThatThrownBy(earlier::sync).isInstanceOf(IOException.class);
        write(stream, "new");
        stream.closeForCommit().commit();
        assertThat(read()).isEqualTo("kept new");
    }

    @Test
    void aDraftOfACheckpointBeforeItsFirstByteGoesOn() throws IOException {
        RecoverableFsDataOutputStream earlier = writer.open(target);
        ResumeRecoverable checkpoint = again(earlier.persist());
        RecoverableFsDataOutputStream stream = writer.recover(checkpoint);
        write(stream, "first");
        stream.closeForCommit().commit();
        assertThat(read()).isEqualTo("first");
    }

    @Test
    void aCommitAfterAFailureHappensOnce() throws IOException {
        RecoverableFsDataOutputStream stream = writer.open(target);
        write(stream, "bytes");
        CommitRecoverable checkpoint = again(stream.closeForCommit().getRecoverable());
        for (int life = 0; life < 3; life++) {
            writer.recoverForCommit(checkpoint).commitAfterRecovery();
            assertThat(read()).isEqualTo("bytes");
            assertThat(names()).containsExactly("part-0");
        }
    }

    @Test
    void anOpenDraftIsCommittedAsOfItsCheckpointAndTheTargetGetsNoMore() throws IOException {
        RecoverableFsDataOutputStream earlier = writer.open(target);
        write(earlier, "kept");
        CommitRecoverable checkpoint = again((CommitRecoverable) earlier.persist());
        writer.recoverForCommit(checkpoint).commitAfterRecovery();
        write(earlier, " and more");
        assertThatThrownBy(earlier::sync).isInstanceOf(IOException.class);
        assertThat(read()).isEqualTo("kept");
    }

    @Test
    void aTargetThatIsThereIsNotReplaced() throws IOException {
        files.create(new org.apache.hadoop.fs.Path(target.toUri())).close();
        RecoverableFsDataOutputStream stream = writer.open(target);
        write(stream, "bytes");
        RecoverableFsDataOutputStream.Committer commit = stream.closeForCommit();
        assertThatThrownBy(commit::commit).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(commit::commitAfterRecovery).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(read()).isEmpty();
    }

    @Test
    void bytesThatAreGoneAreAnError() throws IOException {
        RecoverableFsDataOutputStream stream = writer.open(target);
        write(stream, "bytes");
        CommitRecoverable checkpoint = stream.closeForCommit().getRecoverable();
        org.apache.hadoop.fs.Path draft = ((FlinkPart) checkpoint).draft();
        assertThat(files.truncate(draft, 3)).isTrue();
        assertThatThrownBy(() -> writer.recoverForCommit(checkpoint).commitAfterRecovery())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has 3 bytes, and the checkpoint has 5");
        assertThatThrownBy(() -> writer.recoverForCommit(checkpoint).commit()).isInstanceOf(IOException.class);
        assertThat(files.delete(draft, false)).isTrue();
        assertThatThrownBy(() -> writer.recoverForCommit(checkpoint).commitAfterRecovery())
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining("start from a newer checkpoint");
        assertThatThrownBy(() -> writer.recover((ResumeRecoverable) checkpoint))
                .isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void damagedAndForeignCheckpointsAreRefused() throws IOException {
        SimpleVersionedSerializer<CommitRecoverable> codec = writer.getCommitRecoverableSerializer();
        byte[] bytes = codec.serialize(
                new FlinkPart(new org.apache.hadoop.fs.Path("/d"), new org.apache.hadoop.fs.Path("/t"), 7));
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> codec.deserialize(codec.getVersion(), cut)).isInstanceOf(IOException.class);
        }
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
        assertThatThrownBy(() -> codec.deserialize(codec.getVersion(), longer)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> codec.deserialize(codec.getVersion() + 1, bytes))
                .isInstanceOf(IOException.class);
        CommitRecoverable foreign = new CommitRecoverable() {};
        assertThatThrownBy(() -> writer.recoverForCommit(foreign)).isInstanceOf(IllegalArgumentException.class);
    }
}
