package io.packing.store;

import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** S3 against the server that runs inside the JVM. */
@NullUnmarked
class S3ObjectStoreTest extends ObjectStoreContract {
    private static final AtomicInteger PREFIXES = new AtomicInteger();
    private static S3Server server;

    @BeforeAll
    static void startServer(@TempDir Path directory) throws IOException {
        server = S3Server.start(S3ServerConfig.of(directory, "bucket"));
    }

    @AfterAll
    static void stopServer() throws IOException {
        server.close();
    }

    @Override
    protected ObjectStore open() throws IOException {
        return ObjectStores.open(S3Fixtures.options(server, "s3://bucket/test-" + PREFIXES.incrementAndGet()));
    }

    @Override
    protected boolean listsInUtf8Order() {
        return false;
    }
}
