//! The generic reader, writer and echo.
