// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop.flink;

import io.packing.hadoop.PackingHadoopFileSystem;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.flink.core.fs.RecoverableFsDataOutputStream;
import org.apache.flink.core.fs.RecoverableWriter;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;

/** A commit of a part: the rename of its draft. A target that is there already is never replaced. */
final class FlinkPartCommit implements RecoverableFsDataOutputStream.Committer {
    private final PackingHadoopFileSystem files;
    private final FlinkPart part;

    FlinkPartCommit(PackingHadoopFileSystem files, FlinkPart part) {
        this.files = files;
        this.part = part;
    }

    @Override
    public void commit() throws IOException {
        Path draft = part.draft();
        long found = files.getFileStatus(draft).getLen();
        if (found != part.length()) {
            throw new PathIOException(
                    draft.toString(), "has %d bytes, not the %d that were written".formatted(found, part.length()));
        }
        rename();
    }

    private void rename() throws IOException {
        files.rename(part.draft(), part.target(), Options.Rename.NONE);
    }

    /** Commits a part of a checkpoint, unless it is committed: a job that starts again does not know that. */
    @Override
    public void commitAfterRecovery() throws IOException {
        try {
            cutOff();
            rename();
        } catch (FileNotFoundException e) {
            if (!files.exists(part.target())) {
                FileNotFoundException lost = new FileNotFoundException(
                        "neither %s nor its draft %s is there, and the checkpoint has %d bytes of it: start from a newer checkpoint, or make an empty file there if it was moved"
                                .formatted(part.target(), part.draft(), part.length()));
                lost.initCause(e);
                throw lost;
            }
        }
    }

    /** Makes earlier writers of the draft fail at their next flush, and cuts off bytes that the checkpoint does not have. */
    void cutOff() throws IOException {
        Path draft = part.draft();
        // First the writers: a process of the job's earlier life may not know that it is over, and would write to the
        // target after the rename.
        boolean unused = files.recoverLease(draft);
        long found = files.getFileStatus(draft).getLen();
        if (found < part.length()) {
            throw new PathIOException(
                    draft.toString(), "has %d bytes, and the checkpoint has %d of it".formatted(found, part.length()));
        }
        if (found > part.length()) {
            boolean unusedToo = files.truncate(draft, part.length());
        }
    }

    @Override
    public RecoverableWriter.CommitRecoverable getRecoverable() {
        return part;
    }
}
