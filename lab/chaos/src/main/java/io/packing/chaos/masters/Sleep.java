// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.masters;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A sleep. */
final class Sleep {
    private Sleep() {}

    static void millis(long millis) throws InterruptedException {
        if (new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("the latch was counted down");
        }
    }
}
