// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop.flink;

import io.packing.hadoop.PackingHadoopFileSystem;
import java.io.IOException;
import java.util.UUID;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.RecoverableFsDataOutputStream;
import org.apache.flink.core.fs.RecoverableWriter;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.runtime.fs.hdfs.HadoopFileSystem;

/**
 * A writer of files that appear once, also when jobs fail and start again. A part is written to a hidden draft beside its place. A checkpoint flushes
 * the draft and notes its length. After a failure the draft is cut off at that length, and its earlier writers fail at their next flush. The commit
 * renames the draft.
 */
final class FlinkWriter implements RecoverableWriter {
    private final PackingHadoopFileSystem files;

    FlinkWriter(PackingHadoopFileSystem files) {
        this.files = files;
    }

    @Override
    public RecoverableFsDataOutputStream open(Path place) throws IOException {
        org.apache.hadoop.fs.Path target = HadoopFileSystem.toHadoopPath(place);
        org.apache.hadoop.fs.Path draft = new org.apache.hadoop.fs.Path(
                target.getParent(), ".%s.inprogress.%s".formatted(target.getName(), UUID.randomUUID()));
        return new FlinkPartStream(files, draft, target, files.create(draft, false));
    }

    @Override
    public RecoverableFsDataOutputStream recover(ResumeRecoverable recoverable) throws IOException {
        FlinkPart part = FlinkPart.of(recoverable);
        new FlinkPartCommit(files, part).cutOff();
        return new FlinkPartStream(files, part.draft(), part.target(), files.append(part.draft()));
    }

    @Override
    public RecoverableFsDataOutputStream.Committer recoverForCommit(CommitRecoverable recoverable) {
        return new FlinkPartCommit(files, FlinkPart.of(recoverable));
    }

    /** Returns false: a checkpoint leaves nothing but the draft, which later checkpoints need. */
    @Override
    public boolean requiresCleanupOfRecoverableState() {
        return false;
    }

    @Override
    public boolean cleanupRecoverableState(ResumeRecoverable recoverable) {
        return false;
    }

    @Override
    public SimpleVersionedSerializer<CommitRecoverable> getCommitRecoverableSerializer() {
        return new FlinkPartCodec<>(CommitRecoverable.class);
    }

    @Override
    public SimpleVersionedSerializer<ResumeRecoverable> getResumeRecoverableSerializer() {
        return new FlinkPartCodec<>(ResumeRecoverable.class);
    }

    @Override
    public boolean supportsResume() {
        return true;
    }
}
