// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Evacuation;
import io.packing.blob.BlobName;
import io.packing.process.Await;
import io.packing.store.ObjectStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The copies of an evacuation whose master ends. */
class EndedEvacuationTest extends EvacuationFixture {
    /** The time by which a PUT ends after it was interrupted. */
    private static final long LATE_MILLIS = 300;

    private final AtomicInteger puts = new AtomicInteger();

    @Test
    void noCopyGoesOnWhenTheMasterHasEnded() throws Exception {
        write("/file", before);
        atTarget = this::slow;
        Evacuation unused = evacuate(after);
        Await.until("a blob is being copied", () -> puts.get() > 0);
        master.kill();
        assertThat(puts).hasValue(0);
        assertThat(scratchFiles()).isEmpty();
        atTarget = objects -> objects;
        restart(after);
        awaitArrival();
        check(after);
    }

    private List<Path> scratchFiles() throws Exception {
        try (Stream<Path> files = Files.walk(root.resolve("data"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("evacuated-"))
                    .toList();
        }
    }

    /** A store whose PUT of a blob waits for an interrupt, and ends late after it. */
    private ObjectStore slow(ObjectStore objects) {
        return (ObjectStore) Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, (proxy, method, given) -> {
                    if (method.getName().equals("takesCopies")) {
                        return false;
                    }
                    if (method.getName().equals("put") && ((String) given[0]).startsWith(BlobName.FOLDER)) {
                        waitForInterrupt();
                    }
                    try {
                        return method.invoke(objects, given);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    private void waitForInterrupt() throws InterruptedException {
        puts.incrementAndGet();
        try {
            new CountDownLatch(1).await();
        } finally {
            Thread.sleep(LATE_MILLIS);
            puts.decrementAndGet();
        }
    }
}
