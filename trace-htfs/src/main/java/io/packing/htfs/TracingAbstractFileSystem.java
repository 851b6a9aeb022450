// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import io.packing.trace.Call;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.AbstractFileSystem;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * A tracer of applications that use {@code FileContext}. {@code fs.AbstractFileSystem.SCHEME.impl} names this class,
 * and {@code htfs.underlying.AbstractFileSystem.SCHEME.impl} the traced one. The second key may be missing for the file
 * systems that Hadoop knows itself, such as HDFS.
 */
public final class TracingAbstractFileSystem extends AbstractAttributes {
    private final BufferHint buffer = new BufferHint();

    /** Makes a file system; Hadoop calls this by reflection. */
    public TracingAbstractFileSystem(URI name, Configuration conf) throws IOException, URISyntaxException {
        this(underlying(name, conf), conf);
    }

    private TracingAbstractFileSystem(AbstractFileSystem plain, Configuration conf)
            throws IOException, URISyntaxException {
        super(plain, CallRecorder.of(conf, plain::getInitialWorkingDirectory));
    }

    private static AbstractFileSystem underlying(URI name, Configuration conf) throws IOException {
        String key = "fs.AbstractFileSystem.%s.impl".formatted(name.getScheme());
        String ours = "htfs.underlying.AbstractFileSystem.%s.impl".formatted(name.getScheme());
        Configuration defaults = new Configuration(false);
        defaults.addResource("core-default.xml");
        Class<?> found = conf.getClass(ours, conf.getClassByNameOrNull(defaults.get(key, "")));
        if (found == null
                || found == TracingAbstractFileSystem.class
                || !AbstractFileSystem.class.isAssignableFrom(found)) {
            throw new IOException(
                    "%s names no file system to trace: set it to the class that %s had before".formatted(ours, key));
        }
        return make(found.asSubclass(AbstractFileSystem.class), name, conf);
    }

    private static AbstractFileSystem make(Class<? extends AbstractFileSystem> type, URI name, Configuration conf)
            throws IOException {
        try {
            Constructor<? extends AbstractFileSystem> constructor =
                    type.getDeclaredConstructor(URI.class, Configuration.class);
            constructor.setAccessible(true);
            return constructor.newInstance(name, conf);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IOException("cannot make a %s".formatted(type.getName()), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IOException("cannot make a %s".formatted(type.getName()), e);
        }
    }

    @Override
    public FSDataInputStream open(Path f) throws IOException {
        return calls.opened(Call.OPEN, On.path(f), () -> plain.open(f));
    }

    @Override
    public FSDataInputStream open(Path f, int bufferSize) throws IOException {
        return calls.opened(Call.OPEN, On.path(f).with(buffer.of(bufferSize)), () -> plain.open(f, bufferSize));
    }

    @Override
    public CompletableFuture<FSDataInputStream> openFileWithOptions(Path f, OpenFileParameters parameters)
            throws IOException {
        return calls.openedLater(Call.OPEN_FILE, On.path(f), () -> plain.openFileWithOptions(f, parameters));
    }

    @Override
    public FSDataOutputStream createInternal(
            Path f,
            EnumSet<CreateFlag> flags,
            FsPermission permission,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            ChecksumOpt checksum,
            boolean createParent)
            throws IOException {
        // All calls that create end in this one.
        Call call = flags != null && flags.contains(CreateFlag.APPEND) ? Call.APPEND : Call.CREATE;
        On on = On.path(f).with("flags=" + flags + " replication=" + replication + " block=" + blockSize);
        return calls.created(
                call,
                on,
                () -> plain.createInternal(
                        f, flags, permission, bufferSize, replication, blockSize, progress, checksum, createParent));
    }
}
