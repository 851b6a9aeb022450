/** Hostile bytes for any port: noise, and frames and requests that are nearly what a server expects. */
@NullMarked
package io.packing.fuzz.raw;

import org.jspecify.annotations.NullMarked;
