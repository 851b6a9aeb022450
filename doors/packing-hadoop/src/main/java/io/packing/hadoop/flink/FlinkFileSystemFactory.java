// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop.flink;

import io.packing.hadoop.PackingHadoopFileSystem;
import java.io.IOException;
import java.net.URI;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.runtime.util.HadoopUtils;

/**
 * Flink's way to {@code packing://HOST:PORT/path}. Flink finds it where this jar is in its {@code lib} folder, beside Hadoop's client. Options of the
 * mount are those of Hadoop's configuration, and keys {@code flink.hadoop.packing.*} of Flink's.
 */
public final class FlinkFileSystemFactory implements FileSystemFactory {
    private Configuration flink = new Configuration();

    @Override
    public String getScheme() {
        return PackingHadoopFileSystem.SCHEME;
    }

    @Override
    public void configure(Configuration configuration) {
        flink = configuration;
    }

    @Override
    public FileSystem create(URI location) throws IOException {
        PackingHadoopFileSystem files = new PackingHadoopFileSystem();
        files.initialize(location, HadoopUtils.getHadoopConfiguration(flink));
        return new FlinkFileSystem(files);
    }
}
