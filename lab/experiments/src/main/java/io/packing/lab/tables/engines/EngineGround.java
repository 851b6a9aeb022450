// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.tables.engines;

import io.packing.hadoop.PackingHadoopFileSystem;
import io.packing.process.ClassPaths;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import io.packing.rig.Checkout;
import io.packing.rig.DirectoryRig;
import io.packing.rig.Workspace;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * A mount with a gateway, and a folder for the processes of one engine.
 *
 * @param home of the engine's own files and logs
 * @param gateway a URI
 */
record EngineGround(
        DirectoryRig rig,
        Workspace workspace,
        Path home,
        URI gateway,
        EngineJars jars,
        Path door,
        Configuration configuration,
        Random random) {
    static final String ACCESS_KEY = "ENGINE";
    static final String SECRET_KEY = "secret-of-the-engine";
    /** The directory of tables, which is a bucket, too. */
    static final String TABLES = "tables";

    private static final short ALL_RIGHTS = 0777;

    /** Starts a gateway, and makes the bucket. */
    static EngineGround start(DirectoryRig rig, Workspace workspace, EngineJars jars, long seed)
            throws IOException, InterruptedException {
        Configuration configuration = new Configuration();
        rig.mountOptions().forEach(configuration::set);
        try (FileSystem files = new PackingHadoopFileSystem()) {
            files.initialize(rig.root(), configuration);
            org.apache.hadoop.fs.Path bucket = new org.apache.hadoop.fs.Path("/" + TABLES);
            boolean unused = files.mkdirs(bucket);
            files.setPermission(bucket, new FsPermission(ALL_RIGHTS));
        }
        Path home = workspace.directory();
        Path keys = Files.writeString(home.resolve("s3.keys"), "%s %s engine%n".formatted(ACCESS_KEY, SECRET_KEY));
        URI gateway = rig.startGateway(workspace, keys);
        return new EngineGround(
                rig, workspace, home, gateway, jars, Checkout.find().hadoopJar(), configuration, new Random(seed));
    }

    /** Returns the folder with this program's classes, for a process that has other libraries. */
    static String ownClasses() throws IOException {
        return ClassPaths.of(EngineGround.class).toString();
    }

    /** Starts a process, which ends with the trial. */
    JavaProcess start(JavaCommand command) throws IOException {
        return workspace.own(JavaProcess.start(command, logs()));
    }

    Path logs() {
        return home.resolve("logs");
    }
}
