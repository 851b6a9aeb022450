package io.packing.fuse;

/**
 * The answer to a call that may return before it is known: so no thread has to wait for it. It is given once, by any thread; the caller in the kernel waits
 * until then.
 */
public interface Later {
    /** The call is done. */
    void done();

    /** The call failed. The kernel is told as if the call had thrown this. */
    void failed(Throwable why);
}
