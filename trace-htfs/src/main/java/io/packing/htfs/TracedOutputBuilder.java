// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import io.packing.trace.Call;
import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * A builder of an output stream that passes all options to the traced file system's builder, which checks its own ones.
 */
final class TracedOutputBuilder extends FSDataOutputStreamBuilder<FSDataOutputStream, TracedOutputBuilder> {
    private final FSDataOutputStreamBuilder<?, ?> plain;
    private final CallRecorder calls;
    private final Call call;

    TracedOutputBuilder(
            FileSystem fs, Path path, FSDataOutputStreamBuilder<?, ?> plain, CallRecorder calls, Call call) {
        super(fs, path);
        this.plain = plain;
        this.calls = calls;
        this.call = call;
    }

    @Override
    public TracedOutputBuilder getThisBuilder() {
        return this;
    }

    @Override
    public TracedOutputBuilder permission(FsPermission permission) {
        plain.permission(permission);
        return this;
    }

    @Override
    public TracedOutputBuilder bufferSize(int bytes) {
        plain.bufferSize(bytes);
        return this;
    }

    @Override
    public TracedOutputBuilder replication(short replicas) {
        plain.replication(replicas);
        return this;
    }

    @Override
    public TracedOutputBuilder blockSize(long bytes) {
        plain.blockSize(bytes);
        return this;
    }

    @Override
    public TracedOutputBuilder recursive() {
        plain.recursive();
        return this;
    }

    @Override
    public TracedOutputBuilder progress(Progressable progress) {
        plain.progress(progress);
        return this;
    }

    @Override
    public TracedOutputBuilder create() {
        plain.create();
        return this;
    }

    @Override
    public TracedOutputBuilder overwrite(boolean overwrite) {
        plain.overwrite(overwrite);
        return this;
    }

    @Override
    public TracedOutputBuilder append() {
        plain.append();
        return this;
    }

    @Override
    public TracedOutputBuilder checksumOpt(ChecksumOpt checksum) {
        plain.checksumOpt(checksum);
        return this;
    }

    /** {@inheritDoc} This builder has collected options by name; the traced builder checks them now. */
    @Override
    public FSDataOutputStream build() throws IOException {
        Configuration options = getOptions();
        Set<String> mandatory = getMandatoryKeys();
        for (String key : mandatory) {
            plain.must(key, options.get(key));
        }
        for (String key : getOptionalKeys()) {
            if (!mandatory.contains(key)) {
                plain.opt(key, options.get(key));
            }
        }
        return calls.created(call, On.path(getPath()), plain::build);
    }
}
