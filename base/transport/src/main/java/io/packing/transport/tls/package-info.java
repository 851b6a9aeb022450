/** Keys and certificates of TLS, from PEM files that may be replaced while a process runs. */
@NullMarked
package io.packing.transport.tls;

import org.jspecify.annotations.NullMarked;
