// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.commit;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;

/** The ways to commit a job that are compared. */
enum Committer {
    /** This project's: one vector. */
    VECTOR("io.packing.hadoop.PackingCommitterFactory", 1),
    /** Hadoop's, that commits a job by moving each file. */
    ALGORITHM1(PathOutputCommitterFactory.FILE_COMMITTER_FACTORY, 1),
    /** Hadoop's, that shows each task's files when the task is committed. */
    ALGORITHM2(PathOutputCommitterFactory.FILE_COMMITTER_FACTORY, 2),
    /** Hadoop's, that moves files in parallel, after lists that tasks wrote. */
    MANIFEST("org.apache.hadoop.mapreduce.lib.output.committer.manifest.ManifestCommitterFactory", 1);

    private final String factory;
    private final int algorithm;

    Committer(String factory, int algorithm) {
        this.factory = factory;
        this.algorithm = algorithm;
    }

    /** Returns the configuration of a job with this committer. */
    Configuration configure(Configuration base) {
        Configuration configuration = new Configuration(base);
        configuration.set(PathOutputCommitterFactory.COMMITTER_FACTORY_CLASS, factory);
        configuration.setInt(FileOutputCommitter.FILEOUTPUTCOMMITTER_ALGORITHM_VERSION, algorithm);
        return configuration;
    }

    /** Makes it as a job does; the context's configuration must be configured for it. */
    static PathOutputCommitter of(Path output, TaskAttemptContext context) throws IOException {
        return PathOutputCommitterFactory.createCommitter(output, context);
    }
}
