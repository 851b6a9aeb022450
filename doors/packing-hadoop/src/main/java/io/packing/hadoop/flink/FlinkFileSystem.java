// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop.flink;

import io.packing.hadoop.PackingHadoopFileSystem;
import java.util.Map;
import org.apache.flink.core.fs.RecoverableWriter;
import org.apache.flink.runtime.fs.hdfs.HadoopFileSystem;

/** A mount as Flink sees it. Flink's own writer for Hadoop's file systems takes the schemes of HDFS only, so the mount brings one. */
final class FlinkFileSystem extends HadoopFileSystem {
    private final PackingHadoopFileSystem files;

    FlinkFileSystem(PackingHadoopFileSystem files) {
        super(files);
        this.files = files;
    }

    @Override
    public RecoverableWriter createRecoverableWriter() {
        return new FlinkWriter(files);
    }

    /** {@inheritDoc} The settings are hints for HDFS. */
    @Override
    public RecoverableWriter createRecoverableWriter(Map<String, String> settings) {
        return createRecoverableWriter();
    }
}
