/**
 * HTFS (Harter's thesis, §3.2.1): wrappers around Hadoop's file systems that trace every call, deployed by configuration
 * alone.
 */
@NullMarked
package io.packing.htfs;

import org.jspecify.annotations.NullMarked;
