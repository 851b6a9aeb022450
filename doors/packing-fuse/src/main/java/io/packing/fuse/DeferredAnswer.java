// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

/**
 * The answer to a call that may return before it is known: so no thread has to wait for it. It is given once, by any thread; the caller in the kernel waits
 * until then.
 */
public interface DeferredAnswer {
    /** Answers that the call is done. */
    void done();

    /** Answers that the call failed. The kernel receives the error number for the exception. */
    void failed(Throwable why);
}
